import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the programs that tests have bundled in this run: see proxy/files/test-bundle.ts. */
    bundles: string;
  }
}

export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-bundles-'));
  project.provide('bundles', folder);
  // The source has changed.
  project.onTestsRerun(async () => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  });
  return () => rmSync(folder, { recursive: true, force: true });
}
