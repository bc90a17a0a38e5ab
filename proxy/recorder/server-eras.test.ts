import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ERAS_KEPT, ServerEras } from './server-eras';

const LEGACY = { era: 'legacy', server: 'files 1.0', at: '2026-09-30T10:00:00.000Z' } as const;
let home: string;
const file = () => join(home, 'eras.json');
const open = () => new ServerEras(join(home, 'recordings'));

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'eras-'));
});
afterEach(() => rmSync(home, { recursive: true }));

describe('ServerEras', () => {
  test('a later process reads the stored era, and can delete it', () => {
    open().remember('node server.js', LEGACY);
    expect(open().read('node server.js')).toEqual(LEGACY);
    expect(open().read('node other.js')).toBeUndefined();
    open().remember('node server.js', undefined);
    expect(open().read('node server.js')).toBeUndefined();
  });

  test('only the owner can read the file, which does not contain the server’s command', () => {
    open().remember('node server.js --token secret', LEGACY);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readFileSync(file(), 'utf8')).not.toMatch(/secret|server\.js/);
  });

  test('keeps the servers that were probed last', () => {
    const at = (index: number) => new Date(Date.parse(LEGACY.at) + index).toISOString();
    for (let index = 0; index <= ERAS_KEPT; index++) open().remember(`server ${index}`, { ...LEGACY, at: at(index) });
    expect(open().read('server 0')).toBeUndefined();
    expect(open().read('server 1')).toBeDefined();
    expect(open().read(`server ${ERAS_KEPT}`)).toBeDefined();
  });

  test('ignores a time in another notation, which would go into the log', () => {
    open().remember('x', { ...LEGACY, at: `2026-09-30 (${'x'.repeat(10_000)})` });
    expect(open().read('x')).toBeUndefined();
  });

  test.each(['not json', '[]', '{"servers":[]}', '{"servers":{"x":7,"y":{"era":"other","server":"","at":"now"}}}'])(
    'starts over with the damaged file %s',
    (text) => {
      writeFileSync(file(), text);
      expect(open().read('x')).toBeUndefined();
      open().remember('x', LEGACY);
      expect(open().read('x')).toEqual(LEGACY);
    },
  );

  test('throws nothing if the folder can’t be written', () => {
    writeFileSync(join(home, 'file'), '');
    const eras = new ServerEras(join(home, 'file', 'recordings'));
    eras.remember('x', LEGACY);
    expect(eras.read('x')).toBeUndefined();
  });
});
