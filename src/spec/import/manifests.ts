import type { Part } from './foreign.ts';
import { asLabel, isLabel } from './identity.ts';
import { manifestHoldsSecret } from './manifest-secrets.ts';
import { holdsSecret } from './secrets.ts';
import type { Sketch } from './sketch.ts';

export function putManifestUrls(list: Part, sketch: Sketch): void {
  for (const item of list.parts()) {
    const url = item.text();
    if (url === undefined) continue;
    const readable = /^https?:\/\/./.test(url) && URL.canParse(url);
    if (!readable) item.note('Not carried over: it is not a URL.');
    else if (holdsSecret(url)) item.note('Not carried over: it holds a secret.');
    else sketch.add('cluster.manifests.urls', url);
  }
  if (sketch.get('cluster.manifests.urls') !== undefined)
    sketch.put('cluster.manifests.urls', sketch.get('cluster.manifests.urls'), list);
}

/** [{ name, contents }]; what stands in another file is not read. */
export function putInlineManifests(list: Part, sketch: Sketch): void {
  for (const item of list.parts()) {
    const written = item.find('name')?.text() ?? '';
    const name = isLabel(written) ? written : asLabel(written) || `manifest-${item.key}`;
    const contents = item.find('contents', 'content');
    const text = contents?.text();
    const place = `cluster.manifests.inline.${name}`;
    if (text === undefined || contents === undefined || text.startsWith('@'))
      item.note(`Stands in a file of its own, which is not read: put its text under ${place}.`);
    else if (manifestHoldsSecret(text)) contents.note('Not carried over: it holds a secret.');
    else {
      if (name !== written) item.remark(`Is called ${name} now.`);
      sketch.put(['cluster', 'manifests', 'inline', name], text, contents);
    }
  }
}
