import { Agent, request as ask } from 'node:https';
import type { LabClock } from '../../src/lab/clock.ts';
import type { ProxmoxLab } from '../../src/lab/proxmox/twin.ts';

export type Form = Readonly<Record<string, string | number>>;

/** Somebody else with all rights, who uses the API without our client. */
export class Someone {
  readonly #lab: ProxmoxLab;
  readonly #clock: LabClock;
  readonly #token: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8, timeout: 3000 });

  constructor(lab: ProxmoxLab, clock: LabClock) {
    this.#lab = lab;
    this.#clock = clock;
    this.#token = lab.token('someone');
  }

  /** What stands under `data`; a task is waited for. */
  async does(method: string, path: string, form: Form = {}): Promise<unknown> {
    const data = await this.#ask(method, path, form);
    if (typeof data === 'string' && data.startsWith('UPID:')) await this.#end(data);
    return data;
  }

  async #end(upid: string): Promise<void> {
    const path = `/nodes/${upid.split(':')[1]}/tasks/${encodeURIComponent(upid)}/status`;
    for (;;) {
      const { status, exitstatus } = (await this.#ask('GET', path, {})) as Readonly<Record<string, string>>;
      if (status === 'stopped' && exitstatus !== 'OK') throw new Error(`${upid} ended with ${exitstatus}`);
      if (status === 'stopped') return;
      await this.#clock.sleep(200);
    }
  }

  #ask(method: string, path: string, form: Form): Promise<unknown> {
    const query = new URLSearchParams(
      Object.fromEntries(Object.entries(form).map(([key, value]) => [key, String(value)])),
    ).toString();
    const inBody = method === 'POST' || method === 'PUT';
    const [endpoint = ''] = this.#lab.endpoints.values();
    return new Promise((resolve, reject) => {
      const asked = ask(
        `${endpoint}/api2/json${path}${inBody || query === '' ? '' : `?${query}`}`,
        {
          method,
          ca: this.#lab.ca,
          agent: this.#agent,
          headers: {
            authorization: `PVEAPIToken=${this.#token}`,
            ...(inBody
              ? { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(query) }
              : {}),
          },
        },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          answer.on('end', () => {
            if (answer.statusCode === 200) resolve((JSON.parse(text) as { data: unknown }).data);
            else reject(new Error(`${method} ${path}: ${answer.statusCode} ${answer.statusMessage}`));
          });
        },
      );
      asked.on('error', reject);
      asked.end(inBody ? query : undefined);
    });
  }
}
