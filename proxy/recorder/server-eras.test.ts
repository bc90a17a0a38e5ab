import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { ServerEras } from './server-eras';

const LEGACY = { era: 'legacy', server: 'files 1.0', at: '2026-09-30T10:00:00.000Z' } as const;
let home: string;
const file = () => join(home, 'eras.json');
const open = () => new ServerEras(join(home, 'recordings'));

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'eras-'));
});
afterEach(() => rmSync(home, { recursive: true }));

describe('ServerEras', () => {
  test('a later process recalls what was kept, and forgets it', () => {
    open().keep('node server.js', LEGACY);
    expect(open().recall('node server.js')).toEqual(LEGACY);
    expect(open().recall('node other.js')).toBeUndefined();
    open().keep('node server.js', undefined);
    expect(open().recall('node server.js')).toBeUndefined();
  });

  test('the file is for the owner alone and does not name the server by what starts it', () => {
    open().keep('node server.js --token secret', LEGACY);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readFileSync(file(), 'utf8')).not.toMatch(/secret|server\.js/);
  });

  test('keeps the servers that were probed last', () => {
    const at = (index: number) => new Date(Date.parse(LEGACY.at) + index).toISOString();
    for (let index = 0; index <= LIMITS.erasKept; index++) open().keep(`server ${index}`, { ...LEGACY, at: at(index) });
    expect(open().recall('server 0')).toBeUndefined();
    expect(open().recall('server 1')).toBeDefined();
    expect(open().recall(`server ${LIMITS.erasKept}`)).toBeDefined();
  });

  test('ignores a time in another notation, which would go into the log', () => {
    open().keep('x', { ...LEGACY, at: `2026-09-30 (${'x'.repeat(10_000)})` });
    expect(open().recall('x')).toBeUndefined();
  });

  test.each(['not json', '[]', '{"servers":[]}', '{"servers":{"x":7,"y":{"era":"other","server":"","at":"now"}}}'])(
    'starts over with the damaged file %s',
    (text) => {
      writeFileSync(file(), text);
      expect(open().recall('x')).toBeUndefined();
      open().keep('x', LEGACY);
      expect(open().recall('x')).toEqual(LEGACY);
    },
  );

  test('a folder that cannot be written to costs nothing but the memory', () => {
    writeFileSync(join(home, 'file'), '');
    const eras = new ServerEras(join(home, 'file', 'recordings'));
    eras.keep('x', LEGACY);
    expect(eras.recall('x')).toBeUndefined();
  });
});
