/** PEM texts, as they are inside of the base64 of a file: Talos’ own label on Ed25519 keys included. */
export type CertificateAndKey = { readonly crt: string; readonly key: string };

/** Everything secret that makes a cluster itself; the layout of `talosctl gen secrets`. Made once, kept for ever. */
export type SecretsBundle = {
  readonly cluster: { readonly id: string; readonly secret: string };
  readonly secrets: {
    readonly bootstraptoken: string;
    /** Exactly one of the two. */
    readonly secretboxencryptionsecret?: string;
    readonly aescbcencryptionsecret?: string;
  };
  readonly trustdinfo: { readonly token: string };
  readonly certs: {
    readonly etcd: CertificateAndKey;
    readonly k8s: CertificateAndKey;
    readonly k8saggregator: CertificateAndKey;
    readonly k8sserviceaccount: { readonly key: string };
    readonly os: CertificateAndKey;
  };
};
