/** Bytes of a text in base 64; a text is what is wrong with it, in Go’s words. Line breaks count for nothing. */
export function decodeBase64(text: string): Uint8Array | string {
  const fault = (at: number): string => `illegal base64 data at input byte ${at}`;
  const skip = (from: number): number => from + (/^[\r\n]*/.exec(text.slice(from))?.[0].length ?? 0);
  let inGroup = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\r' || char === '\n') continue;
    if (/[A-Za-z0-9+/]/.test(char)) {
      inGroup = (inGroup + 1) % 4;
      continue;
    }
    if (char !== '=' || inGroup < 2) return fault(at);
    let next = skip(at + 1);
    if (inGroup === 2) {
      if (next === text.length) return fault(text.length);
      if (text.charAt(next) !== '=') return fault(next - 1);
      next = skip(next + 1);
    }
    return next < text.length ? fault(next) : Buffer.from(text, 'base64');
  }
  return inGroup === 0 ? Buffer.from(text, 'base64') : fault(text.length - inGroup);
}
