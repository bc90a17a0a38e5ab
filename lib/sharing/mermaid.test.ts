import { expect, test } from 'vitest';
import { answered, asked, complained, type FrameSeed, framesOf, got, happened } from '@/lib/store/test-frames';
import { DIAGRAM_LINES, writeMermaid } from './mermaid';

async function* each(seeds: readonly FrameSeed[]) {
  yield* framesOf(seeds);
}

const drawn = (...seeds: FrameSeed[]) => writeMermaid(each(seeds));
const note = (text: string) =>
  got({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: text } });

test('draws requests, responses, errors, notifications, junk and lifecycle events', async () => {
  const text = await drawn(
    asked(1, 'initialize', { protocolVersion: '2025-11-25' }),
    answered(1, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'my: server', version: '1' } }),
    happened({ event: 'open', era: 'legacy', version: '2025-11-25' }),
    asked(2, 'tools/call', { name: 'echo' }),
    note('one'),
    complained('nobody draws this'),
    answered(2, { content: [], isError: true }),
    asked(3, 'nope'),
    got({ jsonrpc: '2.0', id: 3, error: { code: -32601, message: 'no' } }),
    got('DEBUG loaded'),
  );
  expect(text).toBe(`sequenceDiagram
  participant C as Client
  participant S as my: server
  C->>S: initialize
  S-->>C: result my: server 1.0 ms
  Note over C,S: open: 2025-11-25, legacy
  C->>S: tools/call echo
  S-)C: notifications/message info · one
  S-->>C: isError echo 3.0 ms
  C->>S: nope
  S--xC: error nope 1.0 ms
  Note right of S: not a message DEBUG loaded
`);
});

test('draws repetitions as one line', async () => {
  expect(await drawn(note('a'), note('a'), note('a'), note('b'))).toContain('a (3 times)\n');
});

test('escapes names', async () => {
  const name = 'x\n  C->>S: forged #35;<img> %%{init: {}}%% \u202e';
  const text = await drawn(asked(1, 'tools/call', { name }));
  expect(text.split('\n')).toHaveLength(5);
  expect(text.split('\n')[3]).toBe(
    '  C->>S: tools/call x   C-#62;#62;S: forged #35;35#59;#60;img#62; #37;#37;#123;init: #123;#125;#125;#37;#37;',
  );
});

test('cuts a long log and says so', async () => {
  const text = await drawn(...Array.from({ length: DIAGRAM_LINES + 50 }, (_, index) => note(`n${index}`)));
  expect(text.split('\n').length).toBeLessThan(DIAGRAM_LINES + 10);
  expect(text).toMatch(/Note over C,S: \d+ more frames are left out\n$/);
});

test('shows durations as in the log, notes, and the refused probe', async () => {
  const frames = framesOf([
    asked(1, 'server/discover'),
    got({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } }),
    happened({ event: 'probe', era: 'legacy', reason: 'refused', respawn: false }),
    asked(2, 'tools/call', { name: 'slow' }),
    answered(2, { content: [] }),
    happened({ event: 'note', on: 5, text: 'Here it waits;', bookmark: false }),
  ]).map((frame) => (frame.seq > 4 ? { ...frame, time: frame.time + 2_009_000 } : frame));
  const text = await writeMermaid(
    (async function* () {
      yield* frames;
    })(),
  );
  expect(text).toContain('  S-->>C: refused, as expected: server/discover 1.0 ms\n');
  expect(text).toContain('  S-->>C: result slow 2.01 s\n  Note over C,S: Here it waits#59;\n');
  expect(text).not.toContain('--x');
});
