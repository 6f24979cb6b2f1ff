/** A file on this machine, to be sent somewhere else; it can be read as often as it is needed. */
export type LocalFile = { readonly bytes: number; readonly read: () => AsyncIterable<Uint8Array> };

export type Checksum = { readonly algorithm: 'sha256' | 'sha512'; readonly hex: string };

export type FileWanted = {
  readonly url: string;
  /** The same name is the same content, for ever. */
  readonly name: string;
  readonly checksum: Checksum | undefined;
};

/** Brings a file here and looks whether it is the right one; what is here already is not brought again. */
export type FetchFile = (wanted: FileWanted, signal: AbortSignal) => Promise<LocalFile>;

/** Looks whether a file could be brought here, without bringing it; ends with the problem when it could not. */
export type TryFile = (wanted: FileWanted, signal: AbortSignal) => Promise<void>;
