// Code of the project for a bench: bundled, and imported from where it was put.
import { build } from 'esbuild';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { scratch } from './measure.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `exports` says what is wanted by file, from the root of the project: { 'src/lab/lab.ts': ['startLab'] }. */
export async function bundled(name, exports) {
  const outfile = `${scratch}${name}.mjs`;
  const contents = Object.entries(exports).map(([file, names]) => `export { ${names.join(', ')} } from './${file}';`);
  await build({
    stdin: { contents: contents.join('\n'), resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    outfile,
    logLevel: 'error',
  });
  return import(pathToFileURL(outfile).href);
}
