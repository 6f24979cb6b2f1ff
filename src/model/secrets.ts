/** Names that people give to secrets: TS_AUTHKEY, proxmox_api_token_secret, passphrase, privateKey. */
export const looksSecret = (name: string): boolean =>
  /pass|secret|token|credential|(?:auth|api|access|private|shared|client|encryption)[_-]?key/i.test(name);

const secretKey =
  /((?:pass(?:word|wd|phrase)?|token|secret(?:[_-]?key)?|api[_-]?key|auth[_-]?key|private[_-]?key|access[_-]?key)\w*["']?\s*[:=]\s*)(?![\s{[]|$)("[^"]*"|'[^']*'|[^,}\]]+)/gi;

/** Whatever follows a key that looks secret is not repeated, wherever it was written. */
export const hideSecrets = (line: string): string =>
  line.replace(secretKey, (_, key: string, value: string) => key + '*'.repeat(value.length));

/** The password of user:password@host, which a URL may carry anywhere. */
const urlPassword = /(:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g;
const secretText = /PRIVATE KEY-----|AGE-SECRET-KEY-/;

/** A value fit to be shown: what is secret in it, or looks like it, is not. */
export function shownText(text: string): string | undefined {
  if (secretText.test(text)) return undefined;
  return hideSecrets(text).replace(urlPassword, '$1***');
}
