import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CaptureRedactor } from './capture-redactor';
import { plantedFrame } from './test-plant';

/** Tool lists of real servers, which are not part of this project. The tests are skipped without them. */
const CORPUS = join(import.meta.dirname, '../../../shared/corpus');
const files = existsSync(CORPUS) ? readdirSync(CORPUS).filter((name) => name.endsWith('.json')) : [];

describe.skipIf(files.length === 0)('nothing is taken out of tools of real servers', () => {
  test.each(files)('%s', (file) => {
    // As on the wire, without white space.
    const frame = plantedFrame(JSON.stringify(JSON.parse(readFileSync(join(CORPUS, file), 'utf8'))));
    expect(new CaptureRedactor([]).apply(frame)).toBe(frame);
  });
});
