import { request } from 'node:https';

/** A Proxmox API with a token, and the authority that its certificate must be of. */
export type Api = {
  readonly endpoint: string;
  readonly token: string;
  readonly ca: string;
  /** Instead of the token: headers of whoever logged in with a password. */
  readonly ticket?: Readonly<Record<string, string>>;
};

type Form = Readonly<Record<string, string>>;

/** One call; what stands under `data`. Throws with the status line of a refusal. */
export function call(api: Api, method: string, path: string, form: Form = {}): Promise<unknown> {
  const query = new URLSearchParams(form).toString();
  const inBody = method === 'POST' || method === 'PUT';
  const url = `${api.endpoint}/api2/json${path}${inBody || query === '' ? '' : `?${query}`}`;
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method,
        ca: api.ca,
        agent: false,
        headers: {
          ...(api.ticket ?? { authorization: `PVEAPIToken=${api.token}` }),
          ...(inBody
            ? { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(query) }
            : {}),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('end', () => {
          if (response.statusCode === 200) resolve((JSON.parse(text) as { data: unknown }).data);
          else reject(new Error(`${response.statusCode} ${response.statusMessage}`));
        });
      },
    );
    sent.on('error', reject);
    sent.end(inBody ? query : undefined);
  });
}

/** A call that starts a task, and its end; throws unless it went well. */
export async function work(api: Api, method: string, path: string, form: Form = {}): Promise<void> {
  const upid = String(await call(api, method, path, form));
  const [, node = ''] = upid.split(':');
  for (;;) {
    const status = (await call(api, 'GET', `/nodes/${node}/tasks/${encodeURIComponent(upid)}/status`)) as {
      readonly status: string;
      readonly exitstatus?: string;
    };
    if (status.status === 'stopped') {
      if (status.exitstatus !== 'OK') throw new Error(`${method} ${path} ended with ${status.exitstatus}`);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
