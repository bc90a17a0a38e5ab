import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

test('the worker of a shared HTML file contains only the version names of the engine', async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['viewer/recordings-worker.ts'],
    bundle: true,
    minify: true,
    format: 'esm',
    outfile: 'worker.js',
    write: false,
    metafile: true,
  });
  const [{ inputs }] = Object.values(metafile.outputs);
  const written = Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0);
  expect(written).toContain('lib/hub/recorded-connection.ts');
  expect(written.filter((path) => /^lib\/(mcp|protocol)\//.test(path))).toEqual(['lib/mcp/versions.ts']);
});
