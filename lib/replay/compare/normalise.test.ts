import { describe, expect, test } from 'vitest';
import { DEFAULT_NORMALISER, NO_NORMALISER, NORMALISERS, Normaliser } from './normalise';

/** Pairs of texts that count as equal, and the text left of them. */
const SAME: readonly (readonly [name: string, before: string, after: string, stays: string])[] = [
  ['time', 'at 2026-01-31T12:00:00.123Z.', 'at 2027-12-01T01:02:03+02:00.', 'at ‹time›.'],
  ['time', '2026-01-31 12:00', '2026-02-01 08:15:01 UTC', '‹time›'],
  ['time', 'Sat, 31 Jan 2026 12:00:00 GMT', 'Mon, 02 Feb 2026 00:00:01 GMT', '‹time›'],
  [
    'time',
    'modified: Sat Jan 31 2026 12:00:00 GMT+0000 (Coordinated Universal Time)',
    'modified: Sun Feb 01 2026 02:00:00 GMT+0100 (Central European Standard Time)',
    'modified: ‹time›',
  ],
  ['time', '1/31/2026, 9:05:07 PM', '12/1/2026, 10:00:00 AM', '‹time›'],
  ['time', 'it is 12:00:59', 'it is 7:05:03 PM', 'it is ‹time›'],
  ['epoch', 'since 1769860800', 'since 1769860800123', 'since ‹epoch›'],
  ['duration', 'took 12 ms', 'took 1.5s', 'took ‹duration›'],
  ['uuid', 'a 0f4c0d6e-1b7e-4b5e-9d0a-2f6f7f0e6a11', 'a 1F4C0D6E-1B7E-4B5E-9D0A-2F6F7F0E6A12', 'a ‹uuid›'],
  ['id', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '01BX5ZZKBKACTAV9WEVGEMMVRZ', '‹id›'],
  ['id', 'in search_1_1795357397190', 'in search_1_1795357410602', 'in ‹id›'],
  ['id', 'task-1795357397190-x7k2f9 is on', 'task-1795357410602-p03qe is on', '‹id› is on'],
  ['pid', 'runs as pid 4242', 'runs as pid 17', 'runs as pid ‹pid›'],
  ['temp-path', 'wrote /tmp/abc-1/notes.txt', 'wrote /tmp/xyz/notes.txt', 'wrote ‹temp-path›/notes.txt'],
  ['temp-path', '/private/var/folders/q1/abc123/T/run-1/x', '/var/folders/zz/def/T/run-2/x', '‹temp-path›/x'],
  ['temp-path', 'C:\\Users\\me\\AppData\\Local\\Temp\\a1\\f', 'C:\\Windows\\Temp\\b2\\f', '‹temp-path›\\f'],
  ['port', 'http://localhost:6270/x', 'http://localhost:51111/x', 'http://localhost:‹port›/x'],
  ['port', '127.0.0.1:80 and [::1]:443', '127.0.0.1:8080 and [::1]:9443', '127.0.0.1:‹port› and [::1]:‹port›'],
  ['hash', 'd41d8cd98f00b204e9800998ecf8427e', '0cc175b9c0f1b6a831c399e269772661', '‹hash›'],
  ['number', '3 of 10', '5 of 11.5', '‹number› of ‹number›'],
];

describe('normalisers', () => {
  test.each(SAME)('%s: %s', (name, before, after, stays) => {
    const one = only(name);
    expect([one.text(before, undefined), one.text(after, undefined)]).toEqual([stays, stays]);
  });

  test('each have a case here, or match member names', () => {
    const told = new Set(SAME.map(([name]) => name));
    for (const { name, keys } of NORMALISERS) expect(told.has(name) || keys !== undefined, name).toBe(true);
  });

  test.each([
    ['cursor', 'nextCursor'],
    ['cursor', 'requestState'],
    ['id', 'taskId'],
    ['id', 'session_id'],
    ['pid', 'pid'],
    ['port', 'port'],
    ['epoch', 'createdAt'],
    ['epoch', 'mtime'],
    ['epoch', 'iat'],
    ['duration', 'elapsedMs'],
  ])('of kind %s match a member called %s', (name, key) => {
    expect(only(name).text('anything', key)).toBe(`‹${name}›`);
    expect(only(name).number(17, key)).toBe(`‹${name}›`);
  });

  test.each(['runtime', 'lifetime', 'regexp'])('leave a member called %s alone', (key) => {
    expect(DEFAULT_NORMALISER.text('nodejs18.x', key)).toBe('nodejs18.x');
  });

  test('match numbers that are times, and no others', () => {
    expect(DEFAULT_NORMALISER.number(1_769_860_800_123, 'x')).toBe('‹epoch›');
    expect(DEFAULT_NORMALISER.number(1_769_860_800, 'x')).toBe(1_769_860_800);
    expect(DEFAULT_NORMALISER.number(42, 'id')).toBe(42);
  });

  test.each([
    'version 1.2.3',
    '2026-01-31',
    'https://example.com:8080/x',
    '/home/me/tmpfile',
    'id: 42',
    'row 1:20',
    'a 5-star hotel',
    'deadbeef',
  ])('keep meaningful text: %s', (text) => {
    expect(DEFAULT_NORMALISER.text(text, 'text')).toBe(text);
    expect(NO_NORMALISER.text(text, 'pid')).toBe(text);
  });

  test('take a whole string as an opaque name, but not prose that contains one', () => {
    expect(DEFAULT_NORMALISER.isOpaque('0f4c0d6e-1b7e-4b5e-9d0a-2f6f7f0e6a11', 'x')).toBe(true);
    expect(DEFAULT_NORMALISER.isOpaque('see 0f4c0d6e-1b7e-4b5e-9d0a-2f6f7f0e6a11', 'x')).toBe(false);
    expect(DEFAULT_NORMALISER.isOpaque('page-2', 'nextCursor')).toBe(true);
    expect(DEFAULT_NORMALISER.isOpaque('', 'nextCursor')).toBe(false);
  });

  test('take bounded time for ten million hostile characters', () => {
    for (const unit of ['1', '2026-01-31 ', '/tmp/', 'Temp\\', '12:', 'a:\\b\\', 'pid pid ']) {
      const text = unit.repeat(10_000_000 / unit.length);
      expect(DEFAULT_NORMALISER.text(text, undefined)).toBe(text);
      expect(typeof DEFAULT_NORMALISER.text(text.slice(0, 200_000), undefined)).toBe('string');
    }
  });
});

function only(name: string): Normaliser {
  return new Normaliser(NORMALISERS.filter((row) => row.name === name));
}
