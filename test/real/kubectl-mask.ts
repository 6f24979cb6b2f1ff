const masks: readonly (readonly [pattern: RegExp, mask: string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME'],
  [/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, 'TIME'],
  [/(resourceVersion["\\]*: ["\\]*)\d+/g, '$1VERSION'],
  [/(Resource Version: +)\d+/g, '$1VERSION'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN'],
  // Of what a deployment makes: the hash of the template, five letters of chance.
  [/\b(web|shop)-[a-z0-9]{6,10}-[a-z0-9]{5}\b/g, '$1-HASH-NAME'],
  [/\b(web|shop)-[a-z0-9]{8,10}\b/g, '$1-HASH'],
  [/\b(pod-template-hash=)[a-z0-9]+/g, '$1HASH'],
  [/\bkube-api-access-[a-z0-9]{5}\b/g, 'kube-api-access-NAME'],
  [/\b10\.96\.\d+\.\d+\b/g, 'CLUSTER-IP'],
  [/\b3\d{4}\b(?=\/(TCP|UDP))/g, 'NODEPORT'],
  [/(nodePort: )\d+/g, '$1NODEPORT'],
  [/\/tmp\/(LIVE|MERGED)-\d+/g, '/tmp/$1'],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [+-]\d{4}/g, 'TIME'],
  // Ages, alone in a column or in brackets.
  [/(?<=^|[\s(])(\d+[dhms]){1,2}(?=$|[\s)])/gm, 'AGE'],
  [/<(unknown|invalid)>/g, 'AGE'],
];

/** Text of kubectl without names, ages, versions and addresses of one run; columns are as wide as what is in them. */
export function masked(text: string): string {
  let shown = text;
  for (const [pattern, mask] of masks) shown = shown.replace(pattern, mask);
  return shown.replace(/(?<=\S)[ \t]{2,}/g, '  ').replace(/[ \t]+$/gm, '');
}
