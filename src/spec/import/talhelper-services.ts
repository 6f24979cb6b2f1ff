import { looksSecret } from '../../model/secrets.ts';
import { toValue } from '../tree.ts';
import type { Part } from './foreign.ts';
import { referenceTo } from './lift.ts';
import { holdsSecret, mayHoldSecret } from './secrets.ts';
import type { Sketch } from './sketch.ts';
import { shared, type Node } from './talhelper-node.ts';
import { plainText } from './talhelper-text.ts';

/** Extension services that all machines have are described once; says whether they could be. */
export function putExtensionServices(nodes: readonly Node[], sketch: Sketch): boolean {
  const lists = nodes.map(({ setting }) => setting('extensionServices'));
  const [first] = lists;
  const same = shared(lists.map((list) => (list === undefined ? null : toValue(list.tree)))) !== undefined;
  if (!same || first === undefined) return same;
  for (const list of lists) list?.leave();
  for (const service of first.parts()) putService(service, sketch);
  return true;
}

function putService(service: Part, sketch: Sketch): void {
  const name = plainText(service.find('name'));
  if (name === undefined) return;
  const place = ['cluster', 'extensionServices', name];
  sketch.put(place, {}, service);
  for (const entry of service.find('environment')?.parts() ?? []) putVariable(entry, place, sketch);
  for (const file of service.find('configFiles')?.parts() ?? []) putFile(file, place, sketch);
}

/** NAME=value; what is secret, or comes from elsewhere, becomes a reference. */
function putVariable(entry: Part, place: readonly string[], sketch: Sketch): void {
  const text = entry.text() ?? '';
  const [, name = '', value = ''] = /^([A-Za-z_][A-Za-z0-9_]*)=([^]*)$/.exec(text) ?? [];
  const whole = /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(value);
  if (name === '') entry.note('Not carried over: it is not NAME=value.');
  else if (looksSecret(name) || holdsSecret(value) || whole) {
    const reference = referenceTo(value, name);
    sketch.put([...place, 'secrets', name], reference, entry);
    entry.note(`The value of ${name} is not written to the file: export ${reference.env}.`);
  } else if (plainText(entry) !== undefined) sketch.put([...place, 'environment', name], value, entry);
}

function putFile(file: Part, place: readonly string[], sketch: Sketch): void {
  const path = plainText(file.find('mountPath'));
  const content = file.find('content');
  const text = content?.text();
  if (path === undefined || content === undefined || text === undefined) return;
  if (text.startsWith('@')) content.note('Stands in a file of its own, which is not read.');
  else if (mayHoldSecret(text)) content.note('Not carried over: it may hold a secret.');
  else if (plainText(content) !== undefined) sketch.put([...place, 'files', path], text, content);
}
