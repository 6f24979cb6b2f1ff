import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { platformIdentities } from '../src/plan/proof.ts';
import { read } from '../src/spec/read.ts';
import { renderConfigs } from '../src/talos/config/render.ts';
import { configText } from '../src/talos/config/text.ts';
import { readSecrets } from '../src/talos/secrets/read.ts';

/** The configuration of every node of a file, written as talosctl would: read, rendered, and one file each. */
const [file = '', secretsFile = '', target = ''] = process.argv.slice(2);
const { platforms, problems } = read({ sources: [{ name: file, content: readFileSync(file, 'utf8') }] });
const [platform] = platforms;
if (platform === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
const { nodes } = renderConfigs({
  platform,
  secrets: readSecrets(readFileSync(secretsFile, 'utf8'), secretsFile),
  resolved: new Map(),
  identities: new Map(platformIdentities(platform, undefined).map(([{ name }, identity]) => [name, identity])),
});
mkdirSync(target, { recursive: true });
for (const [name, { config }] of nodes)
  writeFileSync(join(target, `${name}.yaml`), configText(config), { mode: 0o600 });
if (nodes.size !== platform.machines.length) throw new Error('Not every machine has a configuration.');
