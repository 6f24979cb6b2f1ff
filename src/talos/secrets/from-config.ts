import { Problem, Problems } from '../../model/problem.ts';
import { childOf, type Path, type Tree } from '../../spec/tree.ts';
import type { CertificateAndKey, SecretsBundle } from './bundle.ts';
import { Given, openSecretFile, type Place } from './given.ts';
import { keyAt, pairAt, type Packing } from './pairs.ts';
import { encryptionAt } from './read.ts';

const remedy = 'Give the whole config of a control plane, as talosctl or ichor wrote it.';

/** The bundle that a control plane’s config was made of: v1alpha1, or with the documents of 1.14. Throws Problems. */
export function secretsFromControlPlaneConfig(text: string, file: string): SecretsBundle {
  const config = new ConfigTrees(openSecretFile(text, file), file);
  const given = new Given(remedy);
  const { old } = config;
  const at = (...path: Path): Place => ({ tree: old, path });
  const pair = (...path: Path): CertificateAndKey => pairAt(base64Pair(at(...path)), given);
  const moved = (kind: string, ...path: Path): CertificateAndKey => {
    const tree = config.document(kind);
    if (tree === undefined) return pair(...path);
    const issuing = (part: string): Place => ({ tree, path: ['issuingCA', part] });
    return pairAt({ crt: issuing('cert'), key: issuing('key'), packing: 'plain' }, given);
  };
  const identity = config.document('DiscoveryIdentityConfig');
  const identityAt = (moves: string, stays: string): Place =>
    identity === undefined ? at('cluster', stays) : { tree: identity, path: [moves] };
  const [secretbox, aescbc] = config.encryption();
  const [serviceAccount, packing] = config.serviceAccount();
  return given.settle({
    cluster: {
      id: given.text(identityAt('clusterID', 'id')),
      secret: given.text(identityAt('clusterSecret', 'secret')),
    },
    secrets: { bootstraptoken: given.text(at('cluster', 'token')), ...encryptionAt(secretbox, aescbc, given) },
    trustdinfo: { token: given.text(at('machine', 'token')) },
    certs: {
      etcd: pair('cluster', 'etcd', 'ca'),
      k8s: moved('KubeAPIServerCAConfig', 'cluster', 'ca'),
      k8saggregator: moved('KubeAggregatorCAConfig', 'cluster', 'aggregatorCA'),
      k8sserviceaccount: { key: keyAt(serviceAccount, packing, given) },
      os: pair('machine', 'ca'),
    },
  });
}

const base64Pair = ({ tree, path }: Place): { crt: Place; key: Place; packing: Packing } => ({
  crt: { tree, path: [...path, 'crt'] },
  key: { tree, path: [...path, 'key'] },
  packing: 'base64',
});

/** The documents of a config by their kind. */
class ConfigTrees {
  readonly #documents: readonly Tree[];
  /** The one without a kind. */
  readonly old: Tree;

  constructor(documents: readonly Tree[], file: string) {
    this.#documents = documents;
    const [old] = documents.filter((tree) => tree.kind === 'map' && textAt(tree, 'kind') === undefined);
    if (old === undefined || textAt(childOf(old, 'machine'), 'type') !== 'controlplane') {
      const at = old?.at ?? { file, line: 1, column: 1, length: 1 };
      const message = 'This is not the config of a control plane; only that has all of a cluster’s secrets.';
      throw new Problems([new Problem('not-a-control-plane', message, { at, remedy })]);
    }
    this.old = old;
  }

  document(kind: string): Tree | undefined {
    return this.#documents.find((tree) => textAt(tree, 'kind') === kind);
  }

  /** Where the newer and the older secret stand that encrypt what is in etcd. */
  encryption(): readonly [secretbox: Place, aescbc: Place] {
    const tree = this.document('KubeEtcdEncryptionConfig');
    if (tree === undefined)
      return [
        { tree: this.old, path: ['cluster', 'secretboxEncryptionSecret'] },
        { tree: this.old, path: ['cluster', 'aescbcEncryptionSecret'] },
      ];
    const rules = itemsOf(childOf(tree, 'config'), 'resources');
    const index = Math.max(
      0,
      rules.findIndex((rule) =>
        itemsOf(rule, 'resources').some((item) => item.kind === 'scalar' && item.value === 'secrets'),
      ),
    );
    // The first provider writes; those behind it only read what older ones wrote.
    const first = ['config', 'resources', index, 'providers', 0];
    return [
      { tree, path: [...first, 'secretbox', 'keys', 0, 'secret'] },
      { tree, path: [...first, 'aescbc', 'keys', 0, 'secret'] },
    ];
  }

  serviceAccount(): readonly [Place, Packing] {
    const tree = this.document('KubeServiceAccountConfig');
    return tree === undefined
      ? [{ tree: this.old, path: ['cluster', 'serviceAccount', 'key'] }, 'base64']
      : [{ tree, path: ['issuer', 'privateKey'] }, 'plain'];
  }
}

function textAt(tree: Tree | undefined, key: string): string | undefined {
  const node = tree && childOf(tree, key);
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
}

function itemsOf(tree: Tree | undefined, key: string): readonly Tree[] {
  const node = tree && childOf(tree, key);
  return node?.kind === 'list' ? node.items : [];
}
