import type { ClientCertificate } from '../../kubernetes.ts';

/** What a plugin gives. Secret. */
export type ExecAnswer = {
  readonly token: string | undefined;
  readonly certificate: ClientCertificate | undefined;
  readonly expires: Date | undefined;
};

/** Undefined when it is what a plugin has to print; otherwise what is wrong with it, without what it said. */
export function readExecAnswer(text: string, apiVersion: string): ExecAnswer | { readonly wrong: string } {
  const answer = parsed(text);
  if (answer === undefined) return { wrong: 'it did not print JSON' };
  if (answer['kind'] !== 'ExecCredential') return { wrong: 'it printed something else than an ExecCredential' };
  if (answer['apiVersion'] !== apiVersion) {
    return { wrong: `it answered in ${versionOf(answer['apiVersion'])}, and the kubeconfig says ${apiVersion}` };
  }
  const { status } = answer;
  if (!isRecord(status)) return { wrong: 'its answer has no status' };
  const token = textOf(status['token']);
  const crt = textOf(status['clientCertificateData']);
  const key = textOf(status['clientKeyData']);
  if ((crt === undefined) !== (key === undefined)) return { wrong: 'it gave only one of certificate and key' };
  if (token === undefined && crt === undefined) return { wrong: 'it gave neither a token nor a certificate' };
  const expires = textOf(status['expirationTimestamp']);
  if (expires !== undefined && Number.isNaN(Date.parse(expires)))
    return { wrong: 'its expirationTimestamp is no time' };
  return {
    token,
    certificate: crt === undefined || key === undefined ? undefined : { crt, key },
    expires: expires === undefined ? undefined : new Date(expires),
  };
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const versionOf = (value: unknown): string =>
  typeof value === 'string' && /^[\w./-]{1,64}$/.test(value) ? value : 'no version';
