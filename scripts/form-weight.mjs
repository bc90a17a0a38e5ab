// Measures the form in the page, gzipped: its renderer and the validator.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const { loadBindings, minify } = createRequire(import.meta.url)('next/dist/build/swc');

/** Modules that the page needs even without forms: React, common controls, the contract with the proxy. */
const SHARED = /^(?:react(?:-dom)?(?:\/|$)|@\/components\/(?:ui|untrusted)\/|@\/lib\/(?:json|wire)\/)/;

/**
 * Returns the bytes, gzipped, of the renderer with every kind of field and of the validator, without shared modules.
 * Each is minified about as in the build: the page by Next's compiler, the worker by esbuild.
 */
export async function formWeight() {
  await loadBindings();
  const renderer = await bundled("export { JsonForm } from '@/components/form/json-form'", false);
  const page = await minify(renderer, { compress: true, mangle: true, module: true });
  const worker = await bundled("export { SchemaChecker } from '@/lib/schema/check'", true);
  return gzipped(page.code) + gzipped(worker);
}

async function bundled(contents, minify) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2023',
    charset: 'utf8',
    minify,
    define: { 'process.env.NODE_ENV': '"production"' },
    jsx: 'automatic',
    alias: { '@': root },
    plugins: [
      {
        name: 'shared',
        setup: ({ onResolve }) => onResolve({ filter: SHARED }, ({ path }) => ({ path, external: true })),
      },
    ],
  });
  return outputFiles[0].text;
}

function gzipped(text) {
  return gzipSync(text, { level: 9 }).length;
}
