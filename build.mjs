// Bundles the command line into dist/: one small entry, and a chunk per command that is loaded when it is used.
import { build } from 'esbuild';
import { readFile, rm, writeFile } from 'node:fs/promises';
import undici from 'undici';

const { version } = JSON.parse(await readFile('package.json', 'utf8'));
await rm('dist', { recursive: true, force: true });

const others = Object.keys(undici)
  .filter((name) => name !== 'Client')
  .map((name) => `get ${name}() { return require('undici/index.js').${name}; }`)
  .join(', ');
/** Loading the whole of undici takes longer than many a command; its client is nearly always all that is needed. */
const clientFirst = {
  name: 'client-first',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'client-first' }));
    onLoad({ filter: /./, namespace: 'client-first' }, () => ({
      resolveDir: import.meta.dirname,
      contents: `
        const Client = require('undici/lib/dispatcher/client.js');
        Object.assign(require('undici/lib/dispatcher/dispatcher.js').prototype, require('undici/lib/api/index.js'));
        module.exports = { Client, ${others} };`,
    }));
  },
};

const result = await build({
  entryPoints: { ichor: 'src/main.ts' },
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  metafile: true,
  // The build for browsers is the same library as modules: less is loaded, and no environment variable makes it log what it reads.
  // Of x509 the build as modules, too: a bundled CommonJS module has no names when it is imported later.
  alias: {
    yaml: './node_modules/yaml/browser/index.js',
    '@peculiar/x509': './node_modules/@peculiar/x509/build/x509.es.js',
  },
  plugins: [clientFirst],
  define: { ICHOR_VERSION: JSON.stringify(version) },
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});

const entry = await readFile('dist/ichor.js', 'utf8');
await writeFile('dist/ichor.js', `#!/usr/bin/env node\n${entry}`, { mode: 0o755 });

// What is bundled keeps its licence.
const packages = new Set(
  Object.keys(result.metafile.inputs).flatMap(
    (file) => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [],
  ),
);
const notices = await Promise.all(
  [...packages].sort().map(async (name) => {
    const manifest = JSON.parse(await readFile(`node_modules/${name}/package.json`, 'utf8'));
    const licence = await readFile(`node_modules/${name}/LICENSE`, 'utf8').catch(() => `${manifest.license}\n`);
    return `${name} ${manifest.version}\n\n${licence.trim()}\n`;
  }),
);
await writeFile('dist/THIRD-PARTY.txt', notices.join(`\n${'-'.repeat(80)}\n\n`));
