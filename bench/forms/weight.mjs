// What the form weighs in the page: its renderer and the validator, gzipped.
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');

/** Bytes of the form with all its kinds of fields and what they are made of, and of the validator, without React. */
export async function formWeight() {
  const sizes = await Promise.all(['components/form/json-form.tsx', 'lib/checker/check.ts'].map(bundled));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function bundled(entry) {
  const { outputFiles } = await build({
    entryPoints: [join(root, entry)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2023',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    jsx: 'automatic',
    alias: { '@': root },
    external: ['react', 'react-dom', 'react/jsx-runtime'],
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}
