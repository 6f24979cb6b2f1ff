import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { User } from '../api.ts';
import { unauthorized } from '../refusal.ts';

export type Authenticator = (request: IncomingMessage) => User;

const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

type Known = {
  readonly authorities: readonly X509Certificate[];
  readonly now: () => Date;
  readonly tokens: ReadonlyMap<string, User>;
  /** Tokens of service accounts. */
  readonly account: (token: string) => User | undefined;
};

/** Who asks. Whoever shows nothing is anonymous; whoever shows something that is not right is nobody. */
export function authenticator({ authorities, now, tokens, account }: Known): Authenticator {
  const bySocket = new WeakMap<TLSSocket, User | 'nothing' | 'wrong'>();
  const ofCertificate = (socket: TLSSocket): User | 'nothing' | 'wrong' => {
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined) return 'nothing';
    const isOurs = authorities.some(
      (authority) => certificate.checkIssued(authority) && certificate.verify(authority.publicKey),
    );
    const at = now().getTime();
    const isValid = at >= Date.parse(certificate.validFrom) && at <= Date.parse(certificate.validTo);
    return isOurs && isValid ? userOf(certificate) : 'wrong';
  };
  return (request) => {
    const { socket } = request;
    let shown: User | 'nothing' | 'wrong' = 'nothing';
    if (socket instanceof TLSSocket) {
      shown = bySocket.get(socket) ?? ofCertificate(socket);
      bySocket.set(socket, shown);
    }
    if (typeof shown === 'object') return authenticated(shown);
    const token = /^bearer\s+(.*)$/i.exec(request.headers.authorization ?? '')?.[1]?.trim();
    if (token !== undefined && token !== '') {
      const user = tokens.get(token) ?? account(token);
      if (user === undefined) throw unauthorized();
      return authenticated(user);
    }
    if (shown === 'wrong') throw unauthorized();
    return anonymous;
  };
}

const everybody = 'system:authenticated';
const authenticated = (user: User): User =>
  user.groups.includes(everybody) || user.groups.includes('system:unauthenticated')
    ? user
    : { ...user, groups: [...user.groups, everybody] };

function userOf(certificate: X509Certificate): User {
  const attributes = certificate.subject.split('\n').map((line) => {
    const at = line.indexOf('=');
    return [line.slice(0, at), line.slice(at + 1)] as const;
  });
  const of = (wanted: string): string[] => attributes.filter(([name]) => name === wanted).map(([, value]) => value);
  const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase();
  return {
    name: of('CN')[0] ?? '',
    groups: of('O'),
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] },
  };
}

export const certificatesOf = (pems: readonly string[]): readonly X509Certificate[] =>
  pems
    .flatMap((text) => text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [])
    .map((each) => new X509Certificate(each));
