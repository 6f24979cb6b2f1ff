import { Problem } from '../../model/problem.ts';
import { decode, type Source } from '../source.ts';
import { childOf, type Tree } from '../tree.ts';
import { parseYaml } from '../yaml.ts';

export type Origin = 'tfvars' | 'talhelper' | 'viti';

/** Which program a file was written for, by its name and then by what is in it. */
export function recognise(source: Source): Origin | Problem {
  if (/\.tfvars(\.json)?$/i.test(source.name)) return 'tfvars';
  if (/talconfig\.ya?ml$/i.test(source.name)) return 'talhelper';
  const text = decode(source);
  const assigns = /^[ \t]*[A-Za-z_][\w-]*[ \t]*=(?!=)/m.test(text);
  const { documents, problems } = parseYaml(source);
  const found = documents.map(originOf).find((origin) => origin !== undefined);
  if (found === 'ichor')
    return new Problem('already-ichor', 'This file is already one of ichor’s.', {
      at: { file: source.name, line: 1, column: 1, length: 1 },
      remedy: `Use it as it is:\n    ichor validate -f ${source.name}`,
    });
  if (found) return found;
  if (assigns) return 'tfvars';
  if (problems[0]) return problems[0];
  return new Problem(
    'unknown-origin',
    'This is not a file that ichor recognises: neither variables of Terraform, nor a talconfig.yaml, nor resources of vitistack.io.',
    {
      at: { file: source.name, line: 1, column: 1, length: 1 },
      remedy: 'Say what it is with --from tfvars, talhelper or viti.',
    },
  );
}

function originOf(tree: Tree): Origin | 'ichor' | undefined {
  const text = (key: string): string => {
    const found = childOf(tree, key);
    return found?.kind === 'scalar' ? String(found.value) : '';
  };
  if (text('apiVersion').startsWith('ichor.dev/')) return 'ichor';
  if (text('apiVersion').startsWith('vitistack.io/')) return 'viti';
  const items = text('kind') === 'List' ? childOf(tree, 'items') : undefined;
  if (items?.kind === 'list') return items.items.map(originOf).find((origin) => origin !== undefined);
  if (childOf(tree, 'clusterName') && childOf(tree, 'nodes')) return 'talhelper';
  const variables = ['cluster_name', 'cluster_identity', 'proxmox', 'proxmox_platform', 'talos', 'sizing'];
  return variables.some((name) => childOf(tree, name)) ? 'tfvars' : undefined;
}
