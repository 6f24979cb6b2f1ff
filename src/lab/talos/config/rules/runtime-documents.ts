import { X509Certificate } from 'node:crypto';
import { hostPortFault } from '../go/net.ts';
import { parseUrl, type GoUrl } from '../go/url.ts';
import type { Values } from '../reading.ts';
import type { DocumentRule } from './network-documents.ts';
import { flagAt, mapAt, quote, section, sectionsAt, textAt, textsAt } from './report.ts';

const urlAt = (values: Values, key: string): GoUrl | undefined => {
  const text = values[key] as string | undefined;
  const url = text === undefined ? undefined : parseUrl(text);
  return typeof url === 'object' ? url : undefined;
};

/** The first of these that is so. */
const first = (...faults: readonly (string | false)[]): readonly string[] =>
  faults.filter((fault) => fault !== false).slice(0, 1);

const kmsgLog: DocumentRule = (document, { errors }) => {
  const url = urlAt(document, 'url');
  errors.push(
    ...first(
      textAt(document, 'name') === '' && 'name is required',
      url === undefined && 'url is required',
      !['tcp', 'udp'].includes(url?.scheme ?? '') && 'url scheme must be tcp:// or udp://',
      !['', '/'].includes(url?.path ?? '') && 'url path must be empty',
      url?.port === '' && 'url port is required',
    ),
  );
};

const sideroLink: DocumentRule = (document, { errors }) => {
  const url = urlAt(document, 'apiUrl');
  errors.push(
    ...first(
      url === undefined && 'apiUrl is required',
      !['https', 'grpc'].includes(url?.scheme ?? '') && 'apiUrl scheme must be https:// or grpc://',
      !['', '/'].includes(url?.path ?? '') && 'apiUrl path must be empty',
    ),
  );
};

const eventSink: DocumentRule = (document, { errors }) => {
  const fault = hostPortFault(textAt(document, 'endpoint'));
  if (fault !== undefined) errors.push(`event sink endpoint: ${fault}`);
};

const extensionService: DocumentRule = (document, { errors }) => {
  const name = textAt(document, 'name');
  const files = sectionsAt(document, 'configFiles');
  const broken = files.find(
    (file) => textAt(file ?? undefined, 'content') === '' || textAt(file ?? undefined, 'mountPath') === '',
  );
  const missing = textAt(broken ?? undefined, 'content') === '' ? 'content' : 'mount path';
  errors.push(
    ...first(
      name === '' && 'name is required',
      files.length === 0 &&
        textsAt(document, 'environment').length === 0 &&
        `no config files found for extension ${quote(name)}`,
      broken !== undefined && `extension ${missing} is required for extension ${quote(name)}`,
    ),
  );
};

const watchdog: DocumentRule = (document, { errors }) => {
  const timeout = (document['timeout'] as bigint | undefined) ?? 0n;
  errors.push(
    ...first(
      textAt(document, 'device') === '' && 'watchdog device: empty value',
      timeout !== 0n && timeout < 10_000_000_000n && 'watchdog timeout: minimum value is 10s',
    ),
  );
};

const environment: DocumentRule = (document, { errors }) => {
  for (const key of Object.keys(mapAt(document, 'variables')))
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) errors.push(`invalid environment variable name: ${quote(key)}`);
};

const oom: DocumentRule = (document, { errors }) => {
  if (((document['sampleInterval'] as bigint | undefined) ?? 0n) < 0n)
    errors.push('OOM sample interval must be longer than 0');
};

const registryMirror: DocumentRule = (document, { errors }) => {
  if (textAt(document, 'name') === '') errors.push('name must be specified');
  sectionsAt(document, 'endpoints').forEach((endpoint, at) => {
    const url = urlAt(endpoint ?? {}, 'url');
    if (url === undefined) errors.push(`endpoints[${at}].url must be specified`);
    else if (!['http', 'https'].includes(url.scheme))
      errors.push(`endpoints[${at}].url has unsupported scheme: ${quote(url.scheme)}`);
  });
};

const registryAuth: DocumentRule = (document, { errors }) => {
  if (textAt(document, 'name') === '') errors.push('name must be specified');
  const [user, token, auth] = ['username', 'identityToken', 'auth'].map((key) => textAt(document, key) !== '');
  if (user === true && token === true)
    errors.push('only one of username/password or identityToken authentication can be specified');
  if (auth === true && (user === true || token === true))
    errors.push('only one of auth, username/password or identityToken authentication can be specified');
};

const registryTls: DocumentRule = (document, { errors }) => {
  if (textAt(document, 'name') === '') errors.push('name must be specified');
  const ca = textAt(document, 'ca');
  if (ca !== '' && !hasCertificate(ca)) errors.push('ca must be a valid PEM-encoded certificate');
  const identity = section(document, 'clientIdentity');
  if (identity === undefined) return;
  if (!textAt(identity, 'cert').includes('-----BEGIN'))
    errors.push('client identity certificate is invalid: failed to parse PEM block');
  if (!textAt(identity, 'key').includes('-----BEGIN'))
    errors.push('client identity key is invalid: failed to parse PEM block');
};

function hasCertificate(text: string): boolean {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs) ?? [];
  return blocks.some((block) => {
    try {
      return new X509Certificate(block).subject !== undefined || true;
    } catch {
      return false;
    }
  });
}

const imageVerification: DocumentRule = (document, { errors, warnings }) => {
  sectionsAt(document, 'rules').forEach((given, at) => {
    const rule = given ?? {};
    const pattern = textAt(rule, 'image');
    const about = (words: string): string => `rule ${at}: ${words}`;
    const only = (sign: string): string =>
      about(
        `imagePattern contains '${sign}' but matching only applies to the image registry and repository, not the tag or digest`,
      );
    if (pattern === '') errors.push(about('imagePattern must be specified'));
    if (pattern.includes('@')) warnings.push(only('@'));
    if (/^[^/]*\/.*:/s.test(pattern)) warnings.push(only(':'));
    if (!pattern.includes('/') && pattern !== '*' && pattern !== '')
      warnings.push(
        about(
          "imagePattern does not contain a '/', image references like 'nginx' are matched as 'docker.io/nginx' (normalized)",
        ),
      );
    errors.push(...verifierFaults(rule).map(about));
  });
};

function verifierFaults(rule: Values): readonly string[] {
  const [skip, deny] = [flagAt(rule, 'skip'), flagAt(rule, 'deny')];
  const [keyless, publicKey] = [section(rule, 'keyless'), section(rule, 'publicKey')];
  const any = keyless !== undefined || publicKey !== undefined;
  const faults: readonly (readonly [boolean, string])[] = [
    [skip && deny, 'skip and deny cannot both be true'],
    [(skip || deny) && any, 'verifiers cannot be configured if skip or deny is true'],
    [!skip && !deny && !any, 'at least one verifier must be configured'],
    [keyless !== undefined && publicKey !== undefined, 'only one of keyless or publicKey verifier can be configured'],
    [keyless !== undefined && textAt(keyless, 'issuer') === '', 'verifier OIDC issuer must be specified'],
    [
      keyless !== undefined && textAt(keyless, 'subject') === '' && textAt(keyless, 'subjectRegex') === '',
      'verifier subject or subjectRegex must be specified',
    ],
    [publicKey !== undefined && textAt(publicKey, 'certificate') === '', 'verifier certificates must be specified'],
  ];
  return faults.filter(([broken]) => broken).map(([, words]) => words);
}

export const runtimeRules: Readonly<Record<string, readonly DocumentRule[]>> = {
  KmsgLogConfig: [kmsgLog],
  SideroLinkConfig: [sideroLink],
  EventSinkConfig: [eventSink],
  ExtensionServiceConfig: [extensionService],
  WatchdogTimerConfig: [watchdog],
  EnvironmentConfig: [environment],
  OOMConfig: [oom],
  RegistryMirrorConfig: [registryMirror],
  RegistryAuthConfig: [registryAuth],
  RegistryTLSConfig: [registryTls],
  ImageVerificationConfig: [imageVerification],
};
