import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buildImage, contentTypeOf, parseImagePath } from './images.ts';
import { keepSchematic, WrongSchematic, type KeptSchematic } from './schematic.ts';

export type ImageFactoryOptions = {
  /** Talos versions that it can build, oldest first. */
  readonly versions?: readonly string[];
  /** Names of official extensions; an image with another one cannot be built. Absent: every name is fine. */
  readonly extensions?: readonly string[];
  readonly address?: string;
  readonly port?: number;
  /** PEM; absent: plain HTTP. */
  readonly tls?: { readonly crt: string; readonly key: string };
};

/** The factory that is not there: it builds small files which say what they stand for. */
export interface ImageFactory extends AsyncDisposable {
  /** `http://127.0.0.1:12345` */
  readonly url: string;
  /** What was asked of it: `GET /image/…`. */
  requests(): readonly string[];
  /** Schematics by id. */
  readonly schematics: ReadonlyMap<string, KeptSchematic>;
}

const usualVersions = ['v1.9.0', 'v1.10.9', 'v1.11.6', 'v1.12.4', 'v1.12.11', 'v1.13.8', 'v1.13.9', 'v1.14.0'];

/** Starts a factory on a port of loopback. */
export async function startImageFactory(options: ImageFactoryOptions = {}): Promise<ImageFactory> {
  const schematics = new Map<string, KeptSchematic>();
  const seen: string[] = [];
  // Everybody knows the plain one.
  const plain = keepSchematic('customization: {}');
  schematics.set(plain.id, plain);
  const listener: RequestListener = (request, response) => {
    seen.push(`${request.method} ${request.url}`);
    void answer({ options, schematics }, request, response);
  };
  const { tls } = options;
  const server =
    tls === undefined ? createServer(listener) : createSecureServer({ cert: tls.crt, key: tls.key }, listener);
  const address = options.address ?? '127.0.0.1';
  const port = await listen(server, address, options.port ?? 0);
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${address}:${port}`,
    requests: () => seen,
    schematics,
    [Symbol.asyncDispose]: () => close(server),
  };
}

type Desk = { readonly options: ImageFactoryOptions; readonly schematics: Map<string, KeptSchematic> };

async function answer(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://factory');
  const parts = pathname.split('/').slice(1).map(decodeURIComponent);
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (parts[0] === 'image' && parts.length === 4 && reads) return image(desk, parts, request, response);
  if (pathname === '/schematics' && request.method === 'POST') return register(desk, request, response);
  if (parts[0] === 'schematics' && parts.length === 2 && reads) return schematic(desk, parts[1], response);
  if (pathname === '/versions' && reads) return json(response, 200, desk.options.versions ?? usualVersions);
  if (pathname === '/healthz' && reads) return text(response, 200, '');
  const extensions = /^\/version\/([^/]+)\/extensions\/official$/.exec(pathname);
  if (extensions !== null && reads) return official(desk, extensions[1] ?? '', response);
  return text(response, 404, '404 page not found');
}

function image(
  desk: Desk,
  [, id = '', tag = '', path = '']: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (/\.(sha256|sha512)$/.test(path))
    return text(response, 402, 'enterprise not enabled: checksum endpoint is not available');
  const kept = desk.schematics.get(id);
  if (kept === undefined) return text(response, 404, `schematic ID "${id}" not found`);
  const version = tag.startsWith('v') ? tag : `v${tag}`;
  const wanted = parseImagePath(path);
  if (wanted === undefined)
    return text(response, 400, `error parsing profile from path: invalid profile path: "${path}"`);
  if (!isBuilt(desk, version)) return text(response, 404, `version ${version} is not available`);
  const { extensions } = kept;
  const unknown = extensions.find((name) => desk.options.extensions?.includes(name) === false);
  if (unknown !== undefined)
    return text(
      response,
      400,
      `error enhancing profile from schematic: official extension "${unknown}" is not available for Talos version ${version}`,
    );
  const { platform, arch, secureboot } = wanted;
  const file = buildImage(wanted, { version, schematic: id, platform, extensions, arch, secureboot });
  response.writeHead(200, {
    'Content-Length': file.length,
    'Content-Type': contentTypeOf(wanted),
    'Content-Disposition': `attachment; filename="${path}"`,
  });
  response.end(request.method === 'HEAD' ? undefined : file);
}

const isBuilt = ({ options }: Desk, version: string): boolean => (options.versions ?? usualVersions).includes(version);

async function register(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    const kept = keepSchematic(Buffer.concat(chunks).toString('utf8'));
    desk.schematics.set(kept.id, kept);
    json(response, 201, { id: kept.id, schematic: kept.text });
  } catch (error) {
    if (!(error instanceof WrongSchematic)) throw error;
    text(response, 400, error.message);
  }
}

function schematic(desk: Desk, id: string | undefined, response: ServerResponse): void {
  const kept = desk.schematics.get(id ?? '');
  if (kept === undefined) return text(response, 404, 'schematic not found');
  response.writeHead(200, { 'Content-Type': 'application/yaml' }).end(kept.text);
}

function official(desk: Desk, tag: string, response: ServerResponse): void {
  const version = tag.startsWith('v') ? tag : `v${tag}`;
  if (!isBuilt(desk, version)) return text(response, 404, `version ${version} is not available`);
  const names = desk.options.extensions ?? usualExtensions;
  json(
    response,
    200,
    names.map((name) => ({
      name,
      ref: `ghcr.io/${name}:latest`,
      digest: '',
      author: 'Sidero Labs',
      description: name,
    })),
  );
}

const usualExtensions = ['qemu-guest-agent', 'iscsi-tools', 'util-linux-tools', 'tailscale', 'zfs', 'drbd'].map(
  (name) => `siderolabs/${name}`,
);

const json = (response: ServerResponse, status: number, value: unknown): void =>
  void response.writeHead(status, { 'Content-Type': 'application/json' }).end(`${JSON.stringify(value)}\n`);

const text = (response: ServerResponse, status: number, words: string): void =>
  void response
    .writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' })
    .end(`${words}\n`);

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
