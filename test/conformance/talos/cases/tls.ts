import { X509Certificate } from 'node:crypto';
import tls from 'node:tls';
import { expect } from 'vitest';
import { alertOf } from '../../../tls-alerts.ts';
import { type Identity, tlsOptions } from '../call.ts';
import type { Case } from '../case.ts';
import { issue, type Leaf } from '../pki.ts';
import type { World } from '../world.ts';

type Greeting = {
  readonly greeted: boolean;
  /** The number of the alert that ended it, or what else did. */
  readonly error: number | string | undefined;
  readonly peer: tls.DetailedPeerCertificate | undefined;
};

/** A handshake and what comes after it: a refused certificate is only told when the handshake looks complete. */
function greet(host: string, options: tls.ConnectionOptions): Promise<Greeting> {
  return new Promise((resolve) => {
    const socket = tls.connect(options);
    let greeted = false;
    let peer: tls.DetailedPeerCertificate | undefined;
    const done = (error: Greeting['error']): void => {
      clearTimeout(calm);
      socket.destroy();
      resolve({ greeted, error, peer });
    };
    // A server that has nothing against us sends its settings, or waits for ours.
    const calm = setTimeout(() => done(undefined), 1500);
    socket.on('secureConnect', () => {
      greeted = true;
      peer = socket.getPeerCertificate(true);
    });
    socket.on('data', () => done(undefined));
    socket.on('error', (error: NodeJS.ErrnoException) => done(alertOf(error.code) ?? error.code ?? error.message));
    socket.on('end', () => done('closed'));
  });
}

const greetControlPlane = ({ target }: World, identity: Identity | undefined, port = 50_000): Promise<Greeting> =>
  greet(target.controlPlane.address, tlsOptions(target.controlPlane.address, port, identity));

const alert = (name: string, leaf: Leaf | undefined, error: Greeting['error']): Case => ({
  stage: 'configured',
  name: `tls: ${name}`,
  run: async (world) => {
    const identity = leaf === undefined ? undefined : await issue(world.secrets.talos, leaf);
    const greeting = await greetControlPlane(world, identity);
    expect({ greeted: greeting.greeted, error: greeting.error }).toEqual({ greeted: true, error });
  },
});

const admin = ['os:admin'];
const past = new Date(Date.now() - 60_000);

const shapeOf = (peer: tls.DetailedPeerCertificate | undefined): object => {
  const certificate = new X509Certificate(peer?.raw ?? Buffer.alloc(0));
  const hours = (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 3_600_000;
  const names = (certificate.subjectAltName ?? '').split(', ');
  return {
    issuer: certificate.issuer ?? '',
    subject: certificate.subject,
    key: certificate.publicKey.asymmetricKeyType,
    hours,
    usage: certificate.keyUsage,
    authority: certificate.ca,
    names,
  };
};

const serverAuth = ['1.3.6.1.5.5.7.3.1'];

const oldProtocol = (stage: 'maintenance' | 'configured', at: 'maintenance' | 'controlPlane'): Case => ({
  stage,
  name: `tls: 1.2 is refused, ${stage}`,
  run: async ({ target, identities }) => {
    const options = tlsOptions(target[at].address, 50_000, identities.admin);
    const { greeted, error } = await greet(target[at].address, { ...options, maxVersion: 'TLSv1.2' });
    expect({ greeted, error }).toEqual({ greeted: false, error: 70 });
  },
});

export const tlsCases: readonly Case[] = [
  alert('no certificate is alert 116', undefined, 116),
  alert('an expired certificate is alert 45', { organizations: admin, notAfter: past }, 45),
  alert('a certificate for servers too is alert 42', { organizations: admin, usages: ['client', 'server'] }, 42),
  alert('a certificate for servers only is alert 42', { organizations: admin, usages: ['server'] }, 42),
  alert('a certificate for nothing is alert 42', { organizations: admin, usages: [] }, 42),
  alert('a certificate of an administrator is welcome', { organizations: admin }, undefined),
  alert('a certificate without a role is welcome in the handshake', { organizations: [] }, undefined),
  oldProtocol('maintenance', 'maintenance'),
  oldProtocol('configured', 'controlPlane'),
  {
    stage: 'configured',
    name: 'tls: a certificate of another authority is alert 48',
    run: async (world) => {
      const { greeted, error } = await greetControlPlane(world, world.foreign.admin);
      expect({ greeted, error }).toEqual({ greeted: true, error: 48 });
    },
  },
  {
    stage: 'configured',
    name: 'tls: a client without ALPN is served',
    run: async ({ target, identities }) => {
      const { ALPNProtocols: _, ...options } = tlsOptions(target.controlPlane.address, 50_000, identities.admin);
      const { greeted, error } = await greet(target.controlPlane.address, options);
      expect({ greeted, error }).toEqual({ greeted: true, error: undefined });
    },
  },
  {
    stage: 'maintenance',
    name: 'tls: the certificate of maintenance mode has no issuer, a day to live and the names of the node',
    run: async ({ target }) => {
      const { address, name } = target.maintenance;
      const { peer } = await greet(address, tlsOptions(address, 50_000, undefined));
      expect(shapeOf(peer)).toEqual({
        issuer: '',
        subject: 'CN=maintenance-service.talos.dev',
        key: 'ed25519',
        hours: 24,
        usage: serverAuth,
        authority: false,
        names: expect.arrayContaining([
          `DNS:${name}`,
          `IP Address:${address}`,
          'IP Address:127.0.0.1',
          'IP Address:0:0:0:0:0:0:0:1',
        ]) as string[],
      });
    },
  },
  {
    stage: 'configured',
    name: 'tls: the certificate of apid is of the configured authority, a day long, with the node’s names',
    run: async (world) => {
      const { address, name } = world.target.controlPlane;
      const { peer } = await greetControlPlane(world, world.identities.admin);
      expect(shapeOf(peer)).toEqual({
        issuer: 'O=talos',
        subject: `CN=${name}`,
        key: 'ed25519',
        hours: 24,
        usage: serverAuth,
        authority: false,
        names: expect.arrayContaining([`DNS:${name}`, `IP Address:${address}`, 'IP Address:127.0.0.1']) as string[],
      });
      const certificate = new X509Certificate(peer?.raw ?? Buffer.alloc(0));
      expect(certificate.verify(new X509Certificate(world.secrets.talos.crt).publicKey)).toBe(true);
    },
  },
  {
    stage: 'configured',
    name: 'tls: the certificate of a worker is of the same authority, signed through trustd',
    run: async ({ target, identities, secrets }) => {
      const { address, name } = target.worker;
      const { peer } = await greet(address, tlsOptions(address, 50_000, identities.admin));
      const certificate = new X509Certificate(peer?.raw ?? Buffer.alloc(0));
      expect(certificate.verify(new X509Certificate(secrets.talos.crt).publicKey)).toBe(true);
      expect(shapeOf(peer)).toMatchObject({ issuer: 'O=talos', subject: `CN=${name}`, hours: 24, usage: serverAuth });
    },
  },
];
