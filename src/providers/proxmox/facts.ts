import { Problem } from '../../model/problem.ts';
import type { ProxmoxApi } from './api/api.ts';
import { rowOf, rowsOf, flagOf, textOf } from './api/row.ts';
import { Permissions } from './permissions.ts';
import { pveVersion, tooOld, type PveVersion } from './version.ts';

/** How long an answer about the quorum is believed: deletions that come together ask once. */
const quorumMs = 1000;

/** What is the same for all machines, and asked once. */
export class Facts {
  readonly #api: ProxmoxApi;
  #version: Promise<PveVersion> | undefined;
  #permissions: Promise<Permissions> | undefined;
  #quorum: { readonly at: number; readonly quorate: Promise<boolean> } | undefined;

  constructor(api: ProxmoxApi) {
    this.#api = api;
  }

  async version(signal: AbortSignal): Promise<PveVersion> {
    this.#version ??= this.#askVersion(signal).catch((error: unknown) => {
      this.#version = undefined;
      throw error;
    });
    const version = await this.#version;
    const old = tooOld(version);
    if (old !== undefined) throw old;
    return version;
  }

  async permissions(signal: AbortSignal): Promise<Permissions> {
    this.#permissions ??= this.#api
      .get({ path: '/access/permissions', doing: 'list our own rights' }, signal)
      .then((data) => new Permissions(rowOf(data)))
      .catch((error: unknown) => {
        this.#permissions = undefined;
        throw error;
      });
    return this.#permissions;
  }

  async quorate(signal: AbortSignal): Promise<boolean> {
    const now = this.#api.tools.clock.now().getTime();
    const known = this.#quorum;
    if (known !== undefined && now - known.at < quorumMs) return known.quorate;
    const quorate = this.#askQuorum(signal);
    this.#quorum = { at: now, quorate };
    quorate.catch(() => (this.#quorum = undefined));
    return quorate;
  }

  /** A host that deletes without quorum frees the disks and keeps the configuration. */
  async mustBeQuorate(doing: string, signal: AbortSignal): Promise<void> {
    if (await this.quorate(signal)) return;
    throw noQuorum(doing);
  }

  async #askVersion(signal: AbortSignal): Promise<PveVersion> {
    const text = textOf(rowOf(await this.#api.get({ path: '/version', doing: 'tell its version' }, signal)), 'version');
    const version = pveVersion(text ?? '');
    if (version !== undefined) return version;
    throw new Problem(
      'proxmox-version',
      `The endpoint says that its version is “${text}”, which is none of Proxmox VE.`,
    );
  }

  async #askQuorum(signal: AbortSignal): Promise<boolean> {
    const rows = rowsOf(
      await this.#api.get(
        {
          path: '/cluster/status',
          doing: 'look at the cluster',
          needs: { path: '/', privilege: 'Sys.Audit' },
        },
        signal,
      ),
    );
    // A host alone is no cluster, and always of one mind.
    return rows.every((row) => textOf(row, 'type') !== 'cluster' || flagOf(row, 'quorate'));
  }
}

export const noQuorum = (doing: string): Problem =>
  new Problem(
    'proxmox-no-quorum',
    `The cluster has lost its quorum, so ichor does not ${doing}: without it a host frees the disks and keeps the rest.`,
    { recovery: 'wait', remedy: 'Look which hosts see each other:\n    pvecm status' },
  );
