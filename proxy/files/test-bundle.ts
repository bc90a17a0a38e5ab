import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/**
 * Bundles programs and threads as the package does, and resolves with their folder. Each `name` is bundled once a run,
 * by the first test file that needs it, so write nothing into the folder.
 */
export async function testBundle(name: string, entryPoints: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(inject('bundles'), name);
  if (existsSync(folder)) return folder;
  const made = mkdtempSync(`${folder}-`);
  const { build } = await import('esbuild');
  await build({
    entryPoints,
    outdir: made,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    define: { MCP_INSPECT_VERSION: '"0.0.0-test"' },
    banner: { js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);" },
  });
  writeFileSync(join(made, 'package.json'), '{"type":"module"}');
  try {
    renameSync(made, folder);
  } catch (error) {
    // Another test file was faster.
    if (!existsSync(folder)) throw error;
    rmSync(made, { recursive: true });
  }
  return folder;
}
