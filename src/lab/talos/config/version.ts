/** The parts of a version like v1.13.9. */
export function versionParts(version: string): { readonly minor: number; readonly patch: number } {
  const [, minor = '13', patch = '0'] = /^v?1\.(\d+)\.(\d+)/.exec(version) ?? [];
  return { minor: Number(minor), patch: Number(patch) };
}
