/** What a platform tells about the network, before there is a configuration. */
export type PlatformNetwork = {
  readonly hostname: string | undefined;
  readonly links: readonly PlatformLink[];
  readonly nameservers: readonly string[];
};

export type PlatformLink = {
  readonly name: string;
  /** Lower case; undefined: it is meant by its name. */
  readonly mac: string | undefined;
  /** With prefix length. */
  readonly addresses: readonly string[];
  readonly gateway: string | undefined;
  readonly dhcp: boolean;
};

/** Everything that a platform hands over at boot. */
export type PlatformData = {
  /** Undefined: it says nothing, and what it said last time holds. */
  readonly network: PlatformNetwork | undefined;
  /** A machine configuration, as it was written. */
  readonly config: string | undefined;
  readonly instanceId?: string;
};

export const noPlatform: PlatformData = { network: undefined, config: undefined };
