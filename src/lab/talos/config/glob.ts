/** Patterns of Talos’ selectors: `*`, `?` and classes. */
export function globExpression(pattern: string, flags = 's'): RegExp {
  const source = pattern
    .replaceAll(/[.+^${}()|\\]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source.replaceAll('[!', '[^')}$`, flags);
}
