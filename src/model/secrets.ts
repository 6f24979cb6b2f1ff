const secretNames = /(pass|passwd|password|secret|token|authkey|auth_key|apikey|api_key|private_?key|credential)/i;

/** Whether something of this name is likely to be a secret. */
export const looksSecret = (name: string): boolean => secretNames.test(name);

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
