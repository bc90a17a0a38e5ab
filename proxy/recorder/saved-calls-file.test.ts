import {
  chmodSync,
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
import { LIMITS } from '@/lib/wire/limits';
import type { CallChange } from '@/lib/wire/saved-calls';
import { CALL_TOOLS, CALLS_FILE_BYTES, SavedCallsFile } from './saved-calls-file';

let home: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mcp-inspect-calls-'));
  file = join(home, 'calls.json');
});
afterEach(() => {
  chmodSync(home, 0o700);
  rmSync(home, { recursive: true });
});

const remember = (text: string): CallChange => ({ kind: 'remember', text });
const save = (name: string, text = '{}'): CallChange => ({ kind: 'save', name, text });

/** Opens the file as another mcp-inspect of the same user. */
function calls(options: { remembers?: boolean; redact?: (text: string) => string } = {}): SavedCallsFile {
  return new SavedCallsFile({ folder: join(home, 'recordings'), redact: (text) => text, ...options });
}

describe('stored calls', () => {
  test('are there for the next run, in one file that only its owner can read', async () => {
    await calls().change('server tool', remember('{"n": 1.50}'));
    await calls().change('server tool', save('mine', '{"a":18446744073709551615}'));
    await calls().change('server tool', { kind: 'remembers', on: false });
    expect(await calls().read('server tool')).toEqual({
      saved: [{ name: 'mine', text: '{"a":18446744073709551615}' }],
      recent: ['{"n": 1.50}'],
      remembers: false,
    });
    expect(await calls().read('other tool')).toEqual({ saved: [], recent: [], remembers: false });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(home).sort()).toEqual(['calls.json', 'recordings']);
  });

  test('are not lost when several processes write at once', async () => {
    const several = [calls(), calls(), calls()];
    await Promise.all(Array.from({ length: 30 }, (_, n) => several[n % 3]!.change(`tool ${n % 2}`, save(`call ${n}`))));
    const kept = await Promise.all([calls().read('tool 0'), calls().read('tool 1')]);
    expect(kept.flatMap(({ saved }) => saved)).toHaveLength(30);
  });

  test('contain no secrets', async () => {
    const kept = calls({ redact: (text) => text.replaceAll('hunter2', '[masked]') });
    await kept.change('k', remember('{"q":"hunter2"}'));
    await kept.change('k', save('mine', '{"q":"hunter2"}'));
    expect(readFileSync(file, 'utf8')).not.toContain('hunter2');
  });

  test('include only those saved by name if nothing is recorded', async () => {
    await calls().change('k', remember('{"before":1}'));
    const off = calls({ remembers: false });
    await off.change('k', remember('{"now":1}'));
    expect(await off.change('k', save('mine'))).toMatchObject({ off: true, saved: [{ name: 'mine' }] });
    expect((await calls().read('k')).recent).toEqual(['{"before":1}']);
  });

  test.each(['__proto__', 'constructor', 'a b', '../../x', '\u0000', '名前', '"}'])(
    'may have the key %j',
    async (key) => {
      await calls().change(key, save('__proto__'));
      expect((await calls().read(key)).saved).toEqual([{ name: '__proto__', text: '{}' }]);
      expect((await calls().read('toString')).saved).toEqual([]);
      expect(readdirSync(home).sort()).toEqual(['calls.json', 'recordings']);
    },
  );
});

describe('bounded storage', () => {
  test('limits the saved calls of a tool, but allows replacing one', async () => {
    const saved = Array.from({ length: LIMITS.savedCalls }, (_, n) => ({ name: `${n}`, text: '' }));
    writeFileSync(file, JSON.stringify({ version: 1, tools: [{ key: 'k', saved, recent: [] }] }));
    await expect(calls().change('k', save('one more'))).rejects.toMatchObject({ code: 'calls-full' });
    expect((await calls().change('k', save('7', '{"new":1}'))).saved).toHaveLength(LIMITS.savedCalls);
  });

  test('drops recent arguments of the least recently used tools, but no saved calls', async () => {
    const text = JSON.stringify('x'.repeat(45_000));
    const recent = Array.from({ length: 20 }, () => text);
    const tools = Array.from({ length: 5 }, (_, n) => ({ key: `${n}`, saved: [{ name: 'mine', text: '' }], recent }));
    writeFileSync(file, JSON.stringify({ version: 1, tools }));
    await calls().change('5', remember('{}'));
    expect(statSync(file).size).toBeLessThanOrEqual(CALLS_FILE_BYTES + 1024);
    expect(await calls().read('0')).toMatchObject({ saved: [{ name: 'mine' }], recent: [] });
    expect((await calls().read('4')).recent).toHaveLength(20);
    expect((await calls().read('5')).recent).toEqual(['{}']);
  });

  test('forgets the least recently used of very many tools', async () => {
    const tools = Array.from({ length: CALL_TOOLS }, (_, n) => ({ key: `${n}`, saved: [], recent: ['{}'] }));
    writeFileSync(file, JSON.stringify({ version: 1, tools }));
    await calls().change('new', remember('{}'));
    expect((await calls().read('0')).recent).toEqual([]);
    expect((await calls().read('1')).recent).toEqual(['{}']);
  });

  test('refuses to save more than the file may hold, and changes nothing', async () => {
    const saved = Array.from({ length: 92 }, (_, n) => ({ name: `${n}`, text: 'x'.repeat(46_000) }));
    writeFileSync(file, JSON.stringify({ version: 1, tools: [{ key: 'k', saved, recent: [] }] }));
    const before = readFileSync(file, 'utf8');
    await expect(calls().change('other', save('more', 'y'.repeat(50_000)))).rejects.toMatchObject({
      code: 'calls-full',
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});

describe('errors', () => {
  test.each([
    '',
    '{',
    '[]',
    'null',
    '{"version":2,"tools":[]}',
    '{"version":1,"tools":{}}',
    'x'.repeat(2 * CALLS_FILE_BYTES + 1),
  ])('leaves an invalid file alone (%#)', async (text) => {
    writeFileSync(file, text);
    await expect(calls().read('k')).rejects.toMatchObject({
      code: 'calls-unreadable',
      message: expect.stringContaining(file),
    });
    await expect(calls().change('k', save('mine'))).rejects.toMatchObject({ code: 'calls-unreadable' });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('leaves out invalid entries', async () => {
    const tools = [7, null, { key: 7 }, { key: 'k', saved: 'no', recent: ['{}', 7] }, { key: 'x'.repeat(2000) }];
    writeFileSync(file, JSON.stringify({ version: 1, tools }));
    expect(await calls().read('k')).toEqual({ saved: [], recent: ['{}'], remembers: true });
  });

  test('does not follow a link, or use a folder, in its place', async () => {
    writeFileSync(join(home, 'elsewhere'), '{"version":1,"tools":[]}');
    symlinkSync('elsewhere', file);
    await expect(calls().change('k', save('mine'))).rejects.toMatchObject({ code: 'calls-unreadable' });
    rmSync(file);
    mkdirSync(file);
    await expect(calls().read('k')).rejects.toMatchObject({ code: 'calls-unreadable' });
  });

  test('says why a folder can’t be written', async () => {
    const unwritable = new SavedCallsFile({ folder: '/dev/null/recordings', redact: (text) => text });
    await expect(unwritable.change('k', save('mine'))).rejects.toMatchObject({
      code: 'calls-not-kept',
      message: expect.stringContaining('/dev/null/calls.json'),
      advice: expect.stringContaining('MCP_INSPECT_HOME'),
    });
  });
});
