import { expect, test, vi } from 'vitest';
import { Log } from '@/lib/store/log';
import { answered, asked, framesOf } from '@/lib/store/test-frames';
import {
  bestMatches,
  commandEntries,
  inOrderOfUse,
  matchScore,
  type PaletteEntry,
  paletteEntries,
} from './palette-entries';

const COMMANDS = {
  add: vi.fn(),
  openRecording: vi.fn(),
  recordings: undefined,
  pages: [],
  share: undefined,
  compare: vi.fn(),
  retry: vi.fn(),
  restart: vi.fn(),
  disconnect: vi.fn(),
  remove: vi.fn(),
  removeEnded: vi.fn(),
};

const titles = (...args: Parameters<typeof commandEntries>) => commandEntries(...args).map(({ title }) => title);

test('offers only possible commands', () => {
  expect(titles(COMMANDS, undefined, 0)).toEqual(['Add server', 'Open recording…']);
  expect(titles(COMMANDS, { state: 'open' }, 0)).toEqual([
    'Add server',
    'Open recording…',
    'Compare with…',
    'Restart',
    'Disconnect',
  ]);
  const unreachable = { since: '2026-01-01T12:04:05Z', message: 'Nothing listens there.' };
  expect(titles(COMMANDS, { state: 'open', unreachable }, 0)).toContain('Retry now');
  expect(titles(COMMANDS, { state: 'closed' }, 1)).toEqual([
    'Add server',
    'Open recording…',
    'Compare with…',
    'Restart',
    'Remove this connection',
  ]);
  expect(titles(COMMANDS, { state: 'failed' }, 2)).toEqual([
    'Add server',
    'Open recording…',
    'Compare with…',
    'Restart',
    'Remove this connection',
    'Remove ended connections',
  ]);
  const recording = { file: 'a.mcpr.jsonl', by: '' };
  expect(titles(COMMANDS, { state: 'closed', recording }, 1)).toEqual([
    'Add server',
    'Open recording…',
    'Compare with…',
    'Close this recording',
  ]);
});

test('lists panels, connections, and the server’s tools', () => {
  const log = new Log('c1');
  log.append(framesOf([asked(1, 'tools/list'), answered(1, { tools: [{ name: 'echo', inputSchema: {} }] })]));
  const navigate = vi.fn();
  const openPanel = vi.fn();
  const focus = vi.fn();
  const panels = [{ id: 'tools', title: 'Tools', key: 't' }];
  const entries = paletteEntries([], panels, log.state, { navigate, openPanel }, focus);
  expect(entries.map(({ group, title }) => [group, title])).toEqual([
    ['Panel', 'Tools'],
    ['Tool', 'echo'],
  ]);
  entries[1]!.run();
  expect(navigate).toHaveBeenCalledWith({ panel: 'tools', item: 'echo' });
  expect(focus).toHaveBeenLastCalledWith('item');
  entries[0]!.run();
  expect(openPanel).toHaveBeenCalledWith('tools');
  expect(focus).toHaveBeenLastCalledWith('panel');
});

test('lists runs that only try a capability last', () => {
  const log = new Log('c1');
  log.append(framesOf([asked(1, 'tools/list'), answered(1, { tools: [{ name: 'echo', inputSchema: {} }] })]));
  const run = { id: 'c1', entry: 'c1', name: 'srv', transport: 'stdio', state: 'open', run: 1 } as const;
  const trial = { ...run, id: 'c2', run: 2, state: 'closed', trial: 'without roots' } as const;
  const panels = [{ id: 'tools', title: 'Tools', key: 't' }];
  const goes = { navigate: vi.fn(), openPanel: vi.fn() };
  const entries = paletteEntries([trial, run] as never, panels, log.state, goes, vi.fn());
  expect(entries.map(({ id }) => id)).toEqual(['panel:tools', 'connection:c1', 'tools:echo', 'connection:c2']);
});

test('ranks matches: start of text, start of a word, inside a word, scattered letters', () => {
  const scores = ['get-sum', 'tools get-sum', 'forget-sum', 'g1e2t3'].map((text) => matchScore('get', text));
  expect(scores).toEqual([3, 2, 1, 0]);
});

test('requires every word', () => {
  expect(matchScore('tool sum', 'Tool: get-sum')).toBe(5);
  expect(matchScore('tool xyz', 'Tool: get-sum')).toBeUndefined();
});

test('an empty query keeps the order, up to the limit', () => {
  expect(bestMatches('', ['b', 'a', 'c'], String, 2)).toEqual(['b', 'a']);
});

test('sorts the best match first', () => {
  expect(bestMatches('ec', ['rec', 'echo', 'x'], String, 5)).toEqual(['echo', 'rec']);
});

test('entries chosen lately come first, then tools, then the rest', () => {
  const entry = (id: string, group: PaletteEntry['group']): PaletteEntry => ({ id, group, title: id, run: () => {} });
  const tools = Array.from({ length: 14 }, (_, at) => entry(`tool ${at}`, 'Tool'));
  const all = [entry('add', 'Command'), entry('restart', 'Command'), ...tools, entry('text', 'Resource')];
  const found = inOrderOfUse(all, ['text', 'gone', 'restart']).map(({ id }) => id);
  expect(found.slice(0, 4)).toEqual(['text', 'restart', 'tool 0', 'tool 1']);
  expect(found.slice(-4)).toEqual(['tool 11', 'add', 'tool 12', 'tool 13']);
});

test('a view is found by the name that it had before', () => {
  const log = new Log('c1');
  const go = { navigate: vi.fn(), openPanel: vi.fn() };
  const [hold] = paletteEntries([], [{ id: 'intercept', title: 'Hold' }], log.state, go, vi.fn());
  expect(hold).toMatchObject({ title: 'Hold', also: 'intercept' });
});
