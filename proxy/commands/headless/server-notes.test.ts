import { expect, test } from 'vitest';
import { PROBE_QUIET_MS } from '@/lib/mcp/handshake';
import { notesTap, printProgress } from './server-notes';
import { keptOutput } from './test-connection';

test('prints stderr and log messages only', () => {
  const out = keptOutput();
  const tap = notesTap(out);
  const lines: [Parameters<typeof tap>[0], Parameters<typeof tap>[1], string][] = [
    ['stderr', 'to-client', 'boo'],
    [
      'protocol',
      'to-client',
      '{"method":"notifications/message","params":{"level":"error","logger":"db","data":{"a":1}}}',
    ],
    [
      'protocol',
      'to-client',
      '[{"method":"notifications/message","params":{"data":"x"}},{"method":"notifications/message"}]',
    ],
    ['protocol', 'to-client', '{"id":1,"result":"notifications/message"}'],
    ['protocol', 'to-client', 'notifications/message'],
    ['protocol', 'to-server', '{"method":"notifications/message","params":{"data":"ours"}}'],
    ['lifecycle', 'to-client', '{"event":"spawned","pid":1}'],
  ];
  const seqs = lines.map(([channel, direction, text]) => {
    const bytes = new TextEncoder().encode(`<${text}>`);
    return tap(channel, direction, 0, 0, bytes, 1, bytes.length - 1);
  });
  expect(seqs).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(out.notes).toEqual(['stderr | boo', 'log | error db: {"a":1}', 'log | x']);
});

test('prints progress, whatever a server sends for it', () => {
  const out = keptOutput();
  const note = printProgress(out);
  note({ progress: 1, total: 3, message: 'half' });
  note({ progress: 0.5 });
  note({ progress: { toString: 1 }, total: { toString: 1 }, message: {} });
  note({});
  expect(out.notes).toEqual(['progress | 1 of 3 half', 'progress | 0.5', 'progress | ?', 'progress | ?']);
});

/** Returns the notes on these frames. A text is a line of stderr. */
function notesOn(...frames: (string | object)[]): readonly string[] {
  const out = keptOutput();
  const tap = notesTap(out);
  for (const frame of frames) {
    const isEvent = typeof frame === 'object';
    const bytes = new TextEncoder().encode(isEvent ? JSON.stringify(frame) : frame);
    tap(isEvent ? 'lifecycle' : 'stderr', 'to-client', 0, 0, bytes, 0, bytes.length);
  }
  return out.notes;
}

test('names a tool of the overlay that the server does not list, once', () => {
  const out = keptOutput();
  const tap = notesTap(out, [{ owner: {}, rules: [], overlaid: ['echo', 'echo '] }]);
  const list = (channel: 'protocol' | 'intercept', name: string, nextCursor?: string) => {
    const bytes = new TextEncoder().encode(JSON.stringify({ id: 1, result: { tools: [{ name }], nextCursor } }));
    tap(channel, 'to-client', 0, 0, bytes, 0, bytes.length);
  };
  list('intercept', 'echo', 'p2');
  list('protocol', 'echo', 'p2');
  expect(out.notes).toEqual([]);
  list('protocol', 'sum');
  list('protocol', 'sum');
  expect(out.notes).toEqual(['mcp-inspect: The overlay changes the tool "echo ", which the server does not list.']);
});

const AGAIN = { event: 'probe', era: 'legacy', reason: 'It exited.', respawn: true };

test('reports a second start because of the probe, and skips repeated stderr lines', () => {
  const told =
    'mcp-inspect: The server was started twice: it exited before it answered server/discover, as older servers may do, so mcp-inspect started it again with initialize alone.';
  // A failure is explained with it, last.
  expect(notesOn('Traceback', 'No module', AGAIN, 'Traceback', 'No module')).toEqual([
    'stderr | Traceback',
    'stderr | No module',
  ]);
  const open = { event: 'open', era: 'legacy', version: '2025-11-25' };
  expect(notesOn('starting', AGAIN, 'starting', 'ready', 'starting', open)).toEqual([
    'stderr | starting',
    'stderr | ready',
    'stderr | starting',
    told,
  ]);
});

test('reports a waiting probe', () => {
  expect(notesOn({ event: 'probe-silent', afterMs: PROBE_QUIET_MS })).toEqual([
    'mcp-inspect: No response to server/discover for 2 s, so mcp-inspect also sends initialize, which older servers know.',
  ]);
});
