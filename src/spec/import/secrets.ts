import { looksSecret } from '../../model/secrets.ts';
import type { Scalar } from '../tree.ts';

/** Whether `key: value` gives a secret away. What only names one (secretName, tokenFile) does not. */
export function isSecret(key: string, value: Scalar): boolean {
  if (typeof value === 'boolean' || value === null || value === '') return false;
  if (isSecretName(key)) return true;
  const text = String(value);
  return (key === 'key' && text.length >= 32) || holdsSecret(text);
}

/** Forms that nothing but a secret has, and lines such as TS_AUTHKEY=… */
export function holdsSecret(text: string): boolean {
  return (
    /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----|AGE-SECRET-KEY-1|\btskey-|\bgh[pousr]_|\bgithub_pat_|\bglpat-|\bxox[abp]-|\bAKIA[0-9A-Z]{16}\b/.test(
      text,
    ) ||
    /\beyJ[\w-]{10,}\.[\w-]{10,}/.test(text) ||
    /:\/\/[^\s/:@]*:[^\s/@]+@|\bhttps?:\/\/[^\s/@]+@|[?&][\w-]*(?:token|key|sig|secret|pass)[\w-]*=/i.test(text) ||
    encodedPrivateKey(text) ||
    text.split(/\r?\n/).some(assignsSecret)
  );
}

const assignsSecret = (line: string): boolean => {
  const [, name = '', value = ''] = /^\W*(?:export\s+)?([\w.-]+)["']?\s*[:=]\s*(\S.*)$/.exec(line) ?? [];
  return value !== '' && isSecretName(name) && !/^["']?(?:true|false|\{|\[|\||>)/.test(value);
};

const isSecretName = (name: string): boolean =>
  looksSecret(name) && !/(?:name|ref|file|path|ttl|namespace)s?$/i.test(name);

/** Talos writes keys as base64 of PEM. */
const encodedPrivateKey = (text: string): boolean =>
  /LS0tLS1CRUdJTi[\w+/]{4,}/.test(text) &&
  [...text.matchAll(/LS0tLS1CRUdJTi[\w+/]{0,60}/g)].some(([start]) =>
    atob(start.slice(0, start.length - (start.length % 4))).includes('PRIVATE'),
  );

/** A file of which nothing is known may hold a secret in any form: a word for one, or letters and digits at random. */
export const mayHoldSecret = (text: string): boolean =>
  holdsSecret(text) || looksSecret(text) || text.split(/[\s"'`,:;=<>()[\]{}]+/).some(looksRandom);

const looksRandom = (word: string): boolean =>
  /^[0-9a-f]{32,}$/i.test(word) ||
  (/^[\w+/-]{20,}$/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word));
