import { expect, test } from 'vitest';
import { Log } from './log';
import { answered, asked, complained, framesOf, got, happened, sent } from './test-frames';

const FRAMES = framesOf([
  asked(1, 'tools/list'),
  answered(1, { tools: [{ name: 'echo' }] }),
  complained('warming up'),
  got('no JSON at all'),
  happened({ event: 'closing', reason: 'user' }),
  asked(2, 'tools/call', { name: 'echo' }),
  answered(2, { content: [] }),
  got({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } }),
  sent('the newest one'),
]);

const logWith = (budget?: { held: number; again: number }) => {
  const log = new Log('c1', budget);
  for (const frame of FRAMES) log.append([frame]);
  return log;
};

test('of a log beyond its budget only the text of messages leaves: rows and state are the same', () => {
  const whole = logWith();
  const log = logWith({ held: 0, again: 1000 });
  expect(whole.leftUpTo).toBe(0);
  expect(log.leftUpTo).toBe(FRAMES.length - 1);
  for (const { seq } of FRAMES) {
    const row = whole.row(seq - 1);
    const says = log.isHere(seq) ? row.says : undefined;
    expect(log.row(seq - 1)).toEqual({ ...row, says });
  }
  expect(log.state).toEqual(whole.state);
  expect(log.exchange(6)).toEqual(whole.exchange(6));
  expect(FRAMES.map(({ seq }) => log.isHere(seq))).toEqual([true, true, true, true, true, false, false, false, true]);
  expect(log.json(6)).toBeUndefined();
});

test('what comes back is looked at as if it had never left; what never left is not touched', () => {
  const log = logWith({ held: 0, again: 1000 });
  expect(log.json(6)).toBeUndefined();
  log.restore([FRAMES[6]!, { ...FRAMES[1]!, bytes: new Uint8Array(3) }, { ...FRAMES[0]!, seq: 100 }]);
  expect(log.isHere(7)).toBe(true);
  expect(log.text(6)).toBe('{"jsonrpc":"2.0","id":2,"result":{"content":[]}}');
  expect(log.json(6)?.member('result')?.text).toBe('{"content":[]}');
  expect(log.json(1)?.member('result')?.text).toBe('{"tools":[{"name":"echo"}]}');
  expect(log.size).toBe(FRAMES.length);
});
