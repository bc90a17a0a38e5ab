import { expect, test } from 'vitest';
import { noteProgress, notesTap } from './notes';
import { keptOutput } from './test-session';

test('stderr and log messages are told, everything else passes', () => {
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
    ['lifecycle', 'to-client', '{"method":"notifications/message","params":{}}'],
  ];
  const seqs = lines.map(([channel, direction, text]) => {
    const bytes = new TextEncoder().encode(`<${text}>`);
    return tap(channel, direction, 0, 0, bytes, 1, bytes.length - 1);
  });
  expect(seqs).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(out.notes).toEqual(['stderr | boo', 'log | error db: {"a":1}', 'log | x']);
});

test('progress, whatever a server sends for it', () => {
  const out = keptOutput();
  const note = noteProgress(out);
  note({ progress: 1, total: 3, message: 'half' });
  note({ progress: 0.5 });
  note({ progress: { toString: 1 }, total: { toString: 1 }, message: {} });
  note({});
  expect(out.notes).toEqual(['progress | 1 of 3 half', 'progress | 0.5', 'progress | ?', 'progress | ?']);
});
