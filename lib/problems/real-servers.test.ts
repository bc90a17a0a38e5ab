import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answered, asked } from '@/lib/store/test-frames';
import { legacy, problemsIn } from './test-sessions';

/** Tool lists of real servers. They are not part of this repository, so these tests may be skipped. */
const CORPUS = join(import.meta.dirname, '../../../shared/corpus');
// Files that start with an underscore are invalid on purpose.
const files = existsSync(CORPUS)
  ? readdirSync(CORPUS).filter((name) => name.endsWith('.json') && !name.startsWith('_'))
  : [];

function toolsIn(file: string): unknown[] {
  const value = JSON.parse(readFileSync(join(CORPUS, file), 'utf8'));
  const tools = Array.isArray(value) ? value : (value.tools ?? value.result?.tools);
  return Array.isArray(tools) ? tools : [];
}

describe.skipIf(files.length === 0)('tool lists of real servers', () => {
  test.each(files)('%s has no problems', (file) => {
    const tools = toolsIn(file);
    expect(tools.length).toBeGreaterThan(0);
    expect(problemsIn([...legacy(), asked(1, 'tools/list'), answered(1, { tools })])).toEqual([]);
  });
});
