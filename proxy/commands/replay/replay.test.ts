import { expect, test } from 'vitest';
import { openTraffic } from '@/lib/replay/traffic/open-traffic';
import { EXIT, ExitError } from '@/proxy/cli/exit-code';
import { runCommand } from '../test-command-line';
import { replayNotes, sampleOf } from './replay';

test('makes a minimal value that fits a schema', async () => {
  const properties = { sum: { type: 'number' }, unit: { enum: ['m', 'km'] }, more: { type: 'string' } };
  const sample = JSON.parse((await sampleOf({ type: 'object', properties, required: ['sum', 'unit'] }))!);
  expect(sample).toEqual({ sum: expect.any(Number), unit: 'm' });
});

test.each([
  ['nothing fits', { type: 'object', properties: { a: false }, required: ['a'] }],
  ['it is not an object', { type: 'string' }],
  ['nobody knows its dialect', { $schema: 'https://example.com/mine', type: 'object' }],
  [
    'its pattern takes forever',
    { type: 'object', properties: { a: { const: `${'a'.repeat(60)}!`, pattern: '^(a|aa)+$' } }, required: ['a'] },
  ],
])('makes none where %s', async (_, schema) => {
  expect(await sampleOf(schema)).toBeUndefined();
});

const HEAD = '{"mcpr":1,"id":"12345678","at":"2026-01-31T12:00:00.000Z","name":"demo","transport":"stdio"}';
const ASKED = '{"n":1,"t":5,"c":"protocol","d":">","m":{"jsonrpc":"2.0","id":1,"method":"initialize"}}';
const GOT =
  '{"n":2,"t":6,"c":"protocol","d":"<","m":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","a":"•••"}}}';

const notesOf = async (...lines: string[]) => replayNotes(await openTraffic(new Blob([lines.join('\n')]).stream()));

test('describes a recording and its special cases', async () => {
  expect(await notesOf(HEAD, ASKED, GOT, '{"k":"end","t":7,"frames":2,"sha256":""}', '')).toEqual([
    'Replaying demo, 2025-11-25, recorded 2026-01-31T12:00:00.000Z: 1 request.',
    'Its secrets were redacted, so clients get placeholders.',
  ]);
  expect(await notesOf(HEAD, 'junk', ASKED.replace('1', '4'), GOT.replace('2', '6'), '{"n":')).toEqual([
    expect.stringContaining('1 request.'),
    'Damaged lines left out: 1.',
    'Missing frames: 3.',
    'The recording is incomplete: its last line was cut off.',
    expect.stringContaining('secrets'),
  ]);
});

test.each<[string[], string]>([
  [['/nowhere'], 'File not found. Check the path after `replay`.'],
  [['-'], '`-` is stdin, which the client writes to: add `--port NUMBER`, or name a file.'],
  [['a', '--on-miss', 'guess'], 'choose from error, forward, empty.'],
  [['a', '--pace', '4'], 'write `instant`, `real`, or `x4`'],
  [['a', '--port', '70000'], 'give a whole number from 0 to 65535'],
  [['a', '--on-miss', 'forward'], 'needs a server: write `-- command args…`'],
  [['a', '--on-miss', 'forward', '--', 'ftp://x/'], 'The scheme `ftp` is not supported'],
  [['a', '--', 'node', 'server.js'], 'needs `--on-miss forward`'],
])('%j is refused', async (argv, sentence) => {
  const failure = await runCommand(['replay', ...argv]).catch((error) => error);
  expect(failure).toBeInstanceOf(ExitError);
  expect(failure.exitCode).toBe(EXIT.usage);
  expect(failure.message).toContain(sentence);
});
