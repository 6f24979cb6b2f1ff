import { looksSecret } from '../model/secrets.ts';

/** What stands in the place of a secret; Talos’ own word for it. */
export const masked = '******';

/** Fields of a machine configuration that are secret, beside those whose names look like it. */
const secretNames = new Set(['key', 'auth', 'presharedkey', 'privatekey', 'client-key-data']);
/** Names that look secret and only say where one is. */
const harmlessNames = new Set(['secretname', 'imagepullsecrets', 'tokenttl', 'automountserviceaccounttoken']);

export const isSecretName = (name: string): boolean => {
  const lower = name.toLowerCase();
  return secretNames.has(lower) || (looksSecret(lower) && !harmlessNames.has(lower));
};

/**
 * Text of Talos with everything secret in it masked: configurations, diffs of them cut at any line, refusals and errors.
 * Knows names of fields and shapes of values; who has the bundle masks its values too, see mask.ts.
 */
export const redactConfig = (text: string): string => redactShapes(redactBlocks(redactInlinePem(text)).join('\n'));

/** A PEM block in one line, as JSON and quoted YAML have it. */
const inlinePem =
  /(-----BEGIN [A-Z0-9 ]+-----)(?:\\[nr]|[A-Za-z0-9+/=:, ])*(?:(?:\\[nr])?-----END [A-Z0-9 ]+-----(?:\\n)?)?/g;

const redactInlinePem = (text: string): string =>
  text.replace(inlinePem, (whole, begin: string) => (whole === begin ? whole : `${begin}${masked}`));

/** The mark of a diff, and the indentation. */
const margin = /^((?:-(?!----)|[+ ])?)([ \t]*(?:- +)*)/;
const field = /^(["']?)([\w.$/-]+)\1(\s*:)(?:([ \t]+)(.*))?$/;
const onlyBase64 = /^["']?[A-Za-z0-9+/]+={0,2}["']?$/;
const isBegin = (body: string): boolean => /-----BEGIN [A-Z0-9 ]+-----/.test(body) && !body.includes(masked);
const isEnd = (body: string): boolean => body.includes('-----END ');

/** Line by line: values of secret fields, texts below them, and PEM blocks over several lines. */
function redactBlocks(text: string): readonly string[] {
  const lines = text.split('\n');
  /** The indentation of the field whose text goes on below. */
  let below: number | undefined;
  let inPem = false;
  return lines.map((line, index) => {
    const [, mark = '', indent = ''] = margin.exec(line) ?? [];
    const body = line.slice(mark.length + indent.length);
    if (below !== undefined && body !== '' && indent.length <= below) below = undefined;
    if (isEnd(body)) inPem = false;
    const next = (lines[index + 1] ?? '').replace(margin, '');
    const isPemBody = onlyBase64.test(body) && (inPem || isEnd(next) || looksLikeRest(body, indent));
    if (isBegin(body) && !isEnd(body)) inPem = true;
    else if (inPem && !isPemBody && !isPemHeader(body)) inPem = false;
    if (body !== '' && (below !== undefined || isPemBody)) return `${mark}${indent}${masked}`;
    const { shown, goesOn } = redactField(body);
    if (goesOn) below = indent.length;
    return `${mark}${indent}${shown}`;
  });
}

/** A line out of the middle of a PEM block, without anything around it that says so. */
const looksLikeRest = (body: string, indent: string): boolean =>
  !indent.includes('-') && ((body.length >= 16 && /[A-Z]/.test(body) && /[a-z]/.test(body)) || body.endsWith('='));

const isPemHeader = (body: string): boolean => body === '' || /^[A-Za-z-]+: /.test(body);

/** `name: value` with a secret name; `goesOn` when the value is a text in the lines below. */
function redactField(body: string): { readonly shown: string; readonly goesOn: boolean } {
  const [whole, quote = '', name = '', colon = '', space = '', value = ''] = field.exec(body) ?? [];
  // All that a Secret of Kubernetes says stands below this name.
  if (name === 'stringData' && value === '') return { shown: body, goesOn: true };
  if (whole === undefined || !isSecretName(name) || isNothing(value)) return { shown: body, goesOn: false };
  return { shown: `${quote}${name}${quote}${colon}${space}${masked}`, goesOn: /^[|>]/.test(value) };
}

/** Nothing to hide, or only what opens a structure. */
const isNothing = (value: string): boolean => /^(?:|""|''|\{\}?|\[\]?|null|~|#.*|\*{6}|"\*{6}")\s*$/.test(value);

/** `[^…]` of a value inside of a line: to the next comma, bracket or blank. */
const inside = /(["']?)\b([\w-]+)\1([ \t]*[:=][ \t]*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s,}\]"']+)/g;
const token = /\b[0-9a-z]{6}\.[0-9a-z]{16}\b/g;
const urlPassword = /(:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g;
const urlSecret = /([?&][\w-]*(?:token|secret|key|password)[\w-]*=)[^&\s"']+/gi;
const base64Run = /[A-Za-z0-9+/_-]{32,}={0,2}/g;
const base64OfPem = /LS0tLS1CRUdJTi[A-Za-z0-9+/]*={0,2}/g;

function redactShapes(text: string): string {
  return text
    .replace(base64OfPem, masked)
    .replace(token, masked)
    .replace(urlPassword, `$1${masked}`)
    .replace(urlSecret, `$1${masked}`)
    .replace(inside, (whole, quote: string, name: string, between: string, value: string) =>
      isSecretName(name) && !isNothing(value) && !isOpening(value)
        ? `${quote}${name}${quote}${between}${masked}`
        : whole,
    )
    .replace(base64Run, (run) => (looksRandom(run) ? masked : run));
}

const isOpening = (value: string): boolean => /^[{[|>&*!]/.test(value);

/** Keys in base64 mix everything; digests are hex, and paths and names are words. */
function looksRandom(run: string): boolean {
  if (/^[0-9a-f]+$/i.test(run)) return false;
  const isKey = run.length >= 43 && run.endsWith('=') && /[A-Z]/.test(run);
  return isKey || (run.length >= 40 && /[A-Z]/.test(run) && /[a-z]/.test(run) && /\d/.test(run));
}
