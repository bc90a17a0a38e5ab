import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StandingAnswer } from '@/lib/wire/standing-answers';
import { STANDING_FILE_BYTES, StandingAnswersFile } from './standing-answers-file';

let home: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mcp-inspect-standing-'));
  file = join(home, 'standing-answers.json');
});
afterEach(() => rmSync(home, { recursive: true }));

/** Opens the file as another mcp-inspect of the same user. */
const open = () => new StandingAnswersFile(join(home, 'recordings'));

const answer = (id: string, bound = 'b'): StandingAnswer => ({
  id,
  server: 's',
  title: 't',
  method: 'm',
  bound,
  about: '',
  answer: { result: '{}' },
});

describe('stored standing answers', () => {
  test('are there for the next run, in one file that only its owner can read', async () => {
    await open().change(() => [answer('1')]);
    expect(open().read()).toEqual([answer('1')]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(home).sort()).toEqual(['recordings', 'standing-answers.json']);
  });

  test('are not lost when several processes write at once', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, n) => open().change((all) => [...all, answer(String(n))])));
    expect(open().read()).toHaveLength(12);
  });

  test.each(['', '[]', '{"version":2,"answers":[]}', '{"version":1'])('keep an invalid file: %s', async (text) => {
    writeFileSync(file, text);
    expect(open().read()).toEqual([]);
    await expect(open().change(() => [answer('1')])).rejects.toMatchObject({ code: 'standing-unreadable' });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('are not read from a link, a folder or a huge file', () => {
    const other = join(home, 'other.json');
    writeFileSync(other, JSON.stringify({ version: 1, answers: [answer('1')] }));
    symlinkSync(other, file);
    expect(open().read()).toEqual([]);
    rmSync(file);
    mkdirSync(file);
    expect(open().read()).toEqual([]);
    rmSync(file, { recursive: true });
    writeFileSync(file, JSON.stringify({ version: 1, answers: [answer('1')], x: 'x'.repeat(STANDING_FILE_BYTES) }));
    expect(open().read()).toEqual([]);
  });

  test('have a bounded size', async () => {
    const large = Array.from({ length: 100 }, (_, n) => ({ ...answer(String(n)), title: '\u0001'.repeat(9000) }));
    await expect(open().change(() => large)).rejects.toMatchObject({ code: 'standing-full' });
    expect(open().read()).toEqual([]);
  });
});
