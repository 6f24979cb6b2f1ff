import { hideSecrets } from '../../model/secrets.ts';

/** What a node says may hold the machine’s keys in clear: diffs, refusals that repeat what was sent. This keeps the words and drops the values. */
export function redact(text: string): string {
  return maskTokens(maskPem(valuesOfUnknownKeys(beforeDiff(text))))
    .split('\n')
    .map(hideSecrets)
    .join('\n')
    .trimEnd();
}

/** Everything after "diff:" is the configuration itself, line by line. */
function beforeDiff(text: string): string {
  const at = text.search(/\bdiff:/i);
  return at < 0 ? text : `${text.slice(0, at)}diff: (not shown, it holds secrets)`;
}

const decoding = 'unknown keys found during decoding:\n';

/** The node repeats the unknown part of the document; its keys help, its values need not be seen. */
function valuesOfUnknownKeys(text: string): string {
  const at = text.indexOf(decoding);
  if (at < 0) return text;
  const start = at + decoding.length;
  return text.slice(0, start) + keysOnly(text.slice(start));
}

const keyLine = /^(\s*(?:- )*)([\w./-]+):(?:\s|$)/;

function keysOnly(yaml: string): string {
  const kept = yaml.split('\n').flatMap((line) => {
    const [, indent, key] = keyLine.exec(line) ?? [];
    return key === undefined ? [] : [`${indent}${key}: …`];
  });
  return kept.join('\n');
}

const pem = /-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g;

const maskPem = (text: string): string => text.replace(pem, '(PEM)');

/** Bootstrap and trustd tokens; anything long in base64; what YAML could not turn into a number. */
function maskTokens(text: string): string {
  return text
    .replace(/(cannot unmarshal !!\w+ )`[^`]*`/g, '$1`…`')
    .replace(/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, '(token)')
    .replace(/[A-Za-z0-9+/_-]{24,}={0,2}/g, (run) => (looksEncoded(run) ? '(encoded)' : run));
}

/** Digests, UUIDs and image names are lower case, which 24 characters of base64 almost never are; documents and files have their own beginnings. */
const looksEncoded = (run: string): boolean =>
  /[A-Z]/.test(run) && /[a-z]/.test(run) && !writtenInWords.test(run) && !namesSomething.test(run);

/** NodeAddressSortAlgorithmConfig: no digit, and every capital begins a word. A key may lack digits too, but not that. */
const writtenInWords = /^(?:[A-Z]*[a-z]{2,}|[/_-])+$/;

const namesSomething =
  /^v\d(?:(?:alpha|beta)\d+)?\/(?:[A-Z]+[a-z]{2,})+(?:\/|$)|^\/(?:dev|sys|proc|var|etc|run|opt|usr|system)\//;
