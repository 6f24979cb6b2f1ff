import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './cli.ts';
import { violations } from './rooms/check.ts';
import { importsOf } from './rooms/source.ts';

test('every file of src/ keeps to its room', async () => {
  const names = (await readdir(join(root, 'src'), { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  expect(names.length).toBeGreaterThan(50);
  const found = names.toSorted().flatMap((name) => {
    const file = `src/${name.replaceAll('\\', '/')}`;
    return violations(file, readFileSync(join(root, file), 'utf8'));
  });
  expect(found).toEqual([]);
});

describe('the checker finds', () => {
  const pure = 'may not, because it is pure: text, clock and entropy arrive as arguments.';
  const reach = 'may not, because it reaches one outside system and is unaware of plans.';
  const door =
    'may not, because a door turns a request into one call of the engine, loaded when it is used, and events into words.';

  test.each<[file: string, source: string, says: readonly string[]]>([
    [
      'src/model/a.ts',
      "import { x } from '../spec/b.ts';",
      ['src/model/a.ts:1 imports src/spec/b.ts: model may not, because nouns and their laws need nothing.'],
    ],
    [
      'src/model/a.ts',
      "import type { X } from '../spec/b.ts';",
      ['src/model/a.ts:1 imports src/spec/b.ts: model may not, because nouns and their laws need nothing.'],
    ],
    [
      'src/model/a.ts',
      "import * as z from 'zod';",
      ['src/model/a.ts:1 imports the package zod: model may not, because nouns and their laws need nothing.'],
    ],
    [
      'src/spec/a.ts',
      "\nimport { readFile } from 'node:fs/promises';",
      [`src/spec/a.ts:2 imports node:fs/promises: spec ${pure}`],
    ],
    [
      'src/spec/deep/a.ts',
      "export { y } from '../../plan/y.ts';",
      [`src/spec/deep/a.ts:1 imports src/plan/y.ts: spec ${pure}`],
    ],
    ['src/spec/a.ts', "const x = await import('../cli/b.ts');", [`src/spec/a.ts:1 imports src/cli/b.ts: spec ${pure}`]],
    ['src/spec/a.ts', "const x = require('node:fs');", [`src/spec/a.ts:1 imports node:fs: spec ${pure}`]],
    ['src/spec/a.ts', "call.require('/vms/101');", []],
    ['src/spec/a.ts', "import 'commander';", [`src/spec/a.ts:1 imports the package commander: spec ${pure}`]],
    ['src/plan/a.ts', "import { parse } from 'yaml';", [`src/plan/a.ts:1 imports the package yaml: plan ${pure}`]],
    [
      'src/talos/a.ts',
      "import { createHash, randomBytes } from 'node:crypto';",
      [`src/talos/a.ts:1 imports randomBytes of node:crypto: talos ${pure}`],
    ],
    [
      'src/talos/a.ts',
      "import * as crypto from 'node:crypto';",
      [`src/talos/a.ts:1 imports all of node:crypto: talos ${pure}`],
    ],
    [
      'src/talos/a.ts',
      'const now = Date.now() + new Date().getTime() + Math.random();',
      [
        `src/talos/a.ts:1 uses Date.now: talos ${pure}`,
        `src/talos/a.ts:1 uses new Date(): talos ${pure}`,
        `src/talos/a.ts:1 uses Math.random: talos ${pure}`,
      ],
    ],
    [
      'src/kubernetes/a.ts',
      'console.log(`${process.env.HOME}`);',
      [
        `src/kubernetes/a.ts:1 uses console: kubernetes ${pure}`,
        `src/kubernetes/a.ts:1 uses process: kubernetes ${pure}`,
      ],
    ],
    [
      'src/clients/talos/a.ts',
      'connect(AbortSignal.any([signal, AbortSignal.timeout(5)]));',
      [
        'src/clients/talos/a.ts:1 uses AbortSignal.any: Node forgets its deadlines; use firstOf or within of src/model/signals.ts.',
      ],
    ],
    [
      'src/observe/a.ts',
      "import { fetchHosts } from '../providers/proxmox/api.ts';",
      [
        'src/observe/a.ts:1 imports src/providers/proxmox/api.ts: observe may not, because it looks at the world through the readers that it is handed.',
      ],
    ],
    [
      'src/execute/a.ts',
      "import { plan } from '../plan/plan.ts';",
      [
        'src/execute/a.ts:1 imports src/plan/plan.ts: execute may not, because it changes the world through the writers that it is handed, and decides nothing.',
      ],
    ],
    [
      'src/providers/proxmox/a.ts',
      "import { b } from '../libvirt/b.ts';",
      [`src/providers/proxmox/a.ts:1 imports src/providers/libvirt/b.ts: providers ${reach}`],
    ],
    [
      'src/providers/proxmox/a.ts',
      "import { b } from '../../plan/b.ts';",
      [`src/providers/proxmox/a.ts:1 imports src/plan/b.ts: providers ${reach}`],
    ],
    ['src/clients/talos/a.ts', 'console.log(1);', [`src/clients/talos/a.ts:1 uses console: clients ${reach}`]],
    [
      'src/engine.ts',
      "import { cli } from './cli/a.ts';",
      ['src/engine.ts:1 imports src/cli/a.ts: engine may not, because it touches the world only through the stages.'],
    ],
    [
      'src/cli/a.ts',
      "import { read } from '../spec/read.ts';",
      [`src/cli/a.ts:1 imports src/spec/read.ts: cli ${door}`],
    ],
    [
      'src/cli/a.ts',
      "import { check } from '../engine.ts';",
      [`src/cli/a.ts:1 imports src/engine.ts before it is needed: cli ${door}`],
    ],
    [
      'src/cli/lab.ts',
      "import { lab } from '../lab/lab.ts';",
      [`src/cli/lab.ts:1 imports src/lab/lab.ts before it is needed: cli ${door}`],
    ],
    [
      'src/lab/proxmox/a.ts',
      "import { b } from '../../model/b.ts';",
      [
        'src/lab/proxmox/a.ts:1 imports src/model/b.ts: lab may not, because twins share the wire with us and nothing else.',
      ],
    ],
    [
      'src/main.ts',
      "import { z } from 'zod';",
      ['src/main.ts:1 imports the package zod: main may not, because it starts things, and nothing more.'],
    ],
    [
      'src/spec/a.ts',
      "import { said } from '../../test/said.ts';",
      [`src/spec/a.ts:1 imports test/said.ts, which is no part of the product: spec ${pure}`],
    ],
    [
      'src/utils/a.ts',
      '',
      ['src/utils/a.ts: there is no room "utils"; add it to test/rooms/table.ts with what it may do.'],
    ],
  ])('%s: %s', (file, source, says) => {
    expect(violations(file, source)).toEqual(says);
  });
});

describe('the checker is content with', () => {
  test.each<[file: string, source: string]>([
    [
      'src/spec/a.ts',
      "import * as z from 'zod';\nimport { parse } from 'yaml';\nimport { Problem } from '../model/problem.ts';\nimport { b } from './b.ts';",
    ],
    [
      'src/talos/a.ts',
      "import { createHash } from 'node:crypto';\nimport { inspect } from 'node:util';\nimport type { Socket } from 'node:net';",
    ],
    ['src/observe/a.ts', "import type { MachineReader } from '../providers/provider.ts';"],
    [
      'src/providers/proxmox/a.ts',
      "import { request } from 'node:https';\nimport type { Provider } from '../provider.ts';\nimport { b } from './b.ts';\nsetTimeout(b, 1);",
    ],
    [
      'src/cli/a.ts',
      "import { Option } from 'commander';\nimport type { Reading } from '../engine.ts';\nconst { check } = await import('../engine.ts');\nconst { text } = await import('@clack/prompts');\nprocess.exitCode = 1;",
    ],
    [
      'src/main.ts',
      "import { validate } from './cli/validate.ts';\nimport { proxmox } from './providers/proxmox/proxmox.ts';",
    ],
    [
      'src/spec/a.ts',
      [
        "// import { readFile } from 'node:fs';",
        '/* console.log(process) */',
        'const text = "import x from \'node:fs\'; console";',
        'const other = `console ${text} process`;',
        'const pattern = /import "x" console [/\'"]/;',
        'const row = { console: 1 };',
        'type Row = { process?: number };',
        'export const value = row.console;',
      ].join('\n'),
    ],
  ])('%s', (file, source) => {
    expect(violations(file, source)).toEqual([]);
  });
});

test('imports are read as TypeScript means them', () => {
  const source = [
    "import a, { type B, c as d } from 'one';",
    "import { type E, type F } from 'two';",
    "import type G from 'three';",
    'import {\n  h,\n} from "four";',
    "export * from 'five';",
    "export type { I } from 'six';",
    "import type from 'seven';",
    "const j = { import: 1 }; const from = 'eight';",
    "await Promise.all([import('nine'), import(`ten`)]);",
  ].join('\n');
  expect(importsOf(source)).toEqual([
    { from: 'one', line: 1, kind: 'static', names: undefined },
    { from: 'two', line: 2, kind: 'type', names: ['E', 'F'] },
    { from: 'three', line: 3, kind: 'type', names: undefined },
    { from: 'four', line: 4, kind: 'static', names: ['h'] },
    { from: 'five', line: 7, kind: 'static', names: undefined },
    { from: 'six', line: 8, kind: 'type', names: ['I'] },
    { from: 'seven', line: 9, kind: 'static', names: undefined },
    { from: 'nine', line: 11, kind: 'dynamic', names: undefined },
    { from: 'ten', line: 11, kind: 'dynamic', names: undefined },
  ]);
});
