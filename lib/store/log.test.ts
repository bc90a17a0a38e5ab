import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { FLAG } from '@/lib/wire/frame';
import { Log } from './log';
import { PREVIEW_CHARS } from './rows/labels';
import { answered, asked, complained, type FrameSeed, framesOf, got, happened, logOf, sent } from './test-frames';

describe('rows', () => {
  test('show a short text for junk, stderr and lifecycle frames', () => {
    const log = logOf(
      got('\u001b[32mready\u001b[0m\r'),
      got(''),
      complained('  \n  warning: x\nmore'),
      happened({ event: 'exit', code: 3, signal: null }),
      got('x'.repeat(10_000)),
    );
    const names = [0, 1, 2, 3, 4].map((index) => log.row(index).name);
    expect(names.slice(0, 4)).toEqual(['ready', '', 'warning: x', 'exit: code 3']);
    expect(names[4]).toBe(`${'x'.repeat(PREVIEW_CHARS)}…`);
    expect([0, 2, 3].map((index) => log.row(index).kind)).toEqual(['junk', 'stderr', 'lifecycle']);
  });

  test('keep the type and value of an id', () => {
    const ids = [0, -1, 1.5, 2 ** 53, '', '1', 'é', null];
    const log = logOf(...ids.map((id) => asked(id, 'a')));
    expect(ids.map((_, index) => log.row(index).id)).toEqual(ids);
  });

  test('have exact bytes, text and parsed value', () => {
    const log = logOf(sent(new Uint8Array([0xff, 0x7b])), got('{"a":[1]}'));
    expect(log.bytes(0)).toEqual(new Uint8Array([0xff, 0x7b]));
    expect(log.text(0)).toBe('\ufffd{');
    expect(log.row(0)).toMatchObject({ bytes: 2, invalidUtf8: true, direction: 'to-server' });
    expect(log.json(0)).toBeUndefined();
    expect(log.json(1)?.value).toEqual({ a: [1] });
    expect(log.json(1)).toBe(log.json(1));
    expect(log.totalBytes).toBe(11);
  });

  test('rate an exit by its cause', () => {
    const exit = happened({ event: 'exit', code: null, signal: 'SIGTERM' });
    const spawned = happened({ event: 'spawned', pid: 1 });
    const log = logOf(spawned, exit, spawned, happened({ event: 'closing', reason: 'user' }), exit, spawned, exit);
    expect([0, 1, 4, 6].map((index) => log.row(index).severity)).toEqual([undefined, 'error', 'warn', 'error']);
  });

  test('add only client requests to the latencies', () => {
    const log = logOf(
      asked(1, 'tools/call'),
      got('{"id":7,"method":"ping"}'),
      sent('{"id":7,"result":{}}'),
      got('{"id":1,"result":{}}'),
    );
    expect(log.latencies.calls.singles).toEqual([3000]);
  });

  test('show a byte order mark', () => {
    expect(logOf(got('\ufeff{}')).text(0)).toBe('\ufeff{}');
  });

  test.each([10, 200_000])('are messages even after a byte order mark, with a text of %d characters', (length) => {
    const text = 'x'.repeat(length);
    const log = logOf(asked(1, 'tools/call'), got(`\ufeff{"jsonrpc":"2.0","id":1,"result":{"a":"${text}"}}`));
    expect(log.row(1)).toMatchObject({ kind: 'response', status: 'ok', peer: 1, invalidUtf8: false });
    expect(log.json(1)?.member('result')?.member('a')?.value).toBe(text);
    expect(log.preview(1)).toMatch(/^\{a: "x/);
    expect(logOf(got('\ufeff\ufeff{"jsonrpc":"2.0","id":1}')).row(0).kind).toBe('junk');
  });

  test('throw beyond the end', () => {
    const log = logOf(got('x'));
    for (const index of [-1, 1, Number.NaN]) expect(() => log.row(index)).toThrow(RangeError);
    expect(() => log.bytes(1)).toThrow(RangeError);
  });

  test('do not show pieces of an over-long line as messages', () => {
    const piece = '{"jsonrpc":"2.0","id":1,"result":{}}';
    const log = logOf(asked(1, 'a'), got(piece, FLAG.continued), got(piece, FLAG.continued), got(piece), got(piece));
    expect([1, 2, 3, 4].map((index) => log.row(index).kind)).toEqual(['junk', 'junk', 'junk', 'response']);
    expect(log.exchange(1)?.responseSeq).toBe(5);
  });

  test('are not affected by a piece in the other direction', () => {
    const log = logOf(got('x', FLAG.continued), asked(1, 'a'), got('{"id":1,"result":{}}'));
    expect([1, 2].map((index) => log.row(index).kind)).toEqual(['request', 'junk']);
  });
});

describe('appending', () => {
  test('skips known frames and rejects a gap', () => {
    const frames = framesOf([got('1'), got('2'), got('3')]);
    const log = new Log('c1');
    log.append(frames.slice(0, 2));
    log.append(frames);
    expect(log.size).toBe(3);
    expect(() => log.append([{ ...frames[0]!, seq: 5 }])).toThrow(RangeError);
    expect(log.size).toBe(3);
  });

  test('sets `last` to the newest known seq', () => {
    const log = logOf(got('1'));
    expect(log.last).toBe(1);
    log.setLast(10);
    log.setLast(4);
    expect(log.last).toBe(10);
  });

  test('calls listeners on flush until they unsubscribe', () => {
    const listener = vi.fn();
    const log = logOf(got('1'));
    const leave = log.subscribe(listener);
    log.append(framesOf([got('1'), got('2')]));
    expect(listener).not.toHaveBeenCalled();
    log.flush();
    leave();
    log.flush();
    expect(listener).toHaveBeenCalledTimes(1);
  });
});

/** Random traffic in which a few ids, methods and tokens collide often, with junk in between. */
const id = fc.constantFrom<unknown>(1, 2, '1', null, 1.5);
const method = fc.constantFrom(
  'tools/list',
  'tools/call',
  'initialize',
  'notifications/cancelled',
  'notifications/progress',
);
const params = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    { cursor: 'x' },
    { requestId: 1, progressToken: 1, progress: 2 },
    { name: 'a', _meta: { progressToken: 1 } },
  ),
  fc.jsonValue(),
);
const result = fc.oneof(
  fc.constantFrom<unknown>({ tools: [{ name: 'a' }, null], nextCursor: 'x' }, { tools: [] }, { isError: true }),
  fc.jsonValue(),
);
const message = fc.oneof(
  fc.record({ jsonrpc: fc.constant('2.0'), id, method, params }),
  fc.record({ jsonrpc: fc.constant('2.0'), method, params }),
  fc.record({ id, result }),
  fc.record({ id, error: fc.jsonValue() }),
  fc.jsonValue(),
);
const lifecycle = fc.oneof(
  fc.constantFrom(
    { event: 'exit', code: 1, signal: null },
    { event: 'timeout', id: 1, method: 'tools/list', afterMs: 1 },
    { event: 'open', era: 'legacy', version: 'x' },
    { event: 'closed' },
  ),
  fc.record({ event: fc.constantFrom('start', 'failed', 'spawned', 'timeout', 'probe', 'x') }),
  fc.jsonValue(),
);
const content = fc.oneof(message, message, fc.array(message, { maxLength: 3 }), fc.string(), fc.uint8Array());
const traffic: fc.Arbitrary<FrameSeed[]> = fc.array(
  fc.oneof(
    fc
      .tuple(fc.constantFrom(sent, got), content, fc.constantFrom(0, 0, 0, 1, 2))
      .map(([make, what, flags]) => make(what, flags)),
    lifecycle.map((event) => happened(event as never)),
    fc.string().map(complained),
  ),
  { maxLength: 40 },
);

/** Everything that a log exposes. */
function everything(log: Log): unknown {
  const rows = Array.from({ length: log.size }, (_, index) => log.row(index));
  return { rows, state: log.state, exchanges: rows.map(({ seq }) => log.exchange(seq)) };
}

test('never throws on any traffic', () => {
  fc.assert(
    fc.property(traffic, (seeds) => void everything(logOf(...seeds))),
    { seed: 1, numRuns: 300 },
  );
});

test('the log does not depend on portions or reads in between', () => {
  fc.assert(
    fc.property(traffic, fc.array(fc.nat(7)), (seeds, portions) => {
      const frames = framesOf(seeds);
      const log = new Log('c1');
      let at = 0;
      for (const portion of [...portions, frames.length]) {
        log.append(frames.slice(at, at + portion));
        at += portion;
        everything(log);
      }
      expect(everything(log)).toEqual(everything(logOf(...seeds)));
    }),
    { seed: 1, numRuns: 200 },
  );
});

test('pairs link both ways', () => {
  fc.assert(
    fc.property(traffic, (seeds) => {
      const log = logOf(...seeds);
      for (let index = 0; index < log.size; index++) {
        const { kind, peer, direction } = log.row(index);
        if (kind !== 'response' && kind !== 'error') continue;
        if (peer === undefined) continue;
        const request = log.row(peer - 1);
        expect(request.direction).not.toBe(direction);
        expect(peer).toBeLessThanOrEqual(index);
        if (request.kind === 'request') expect(request.peer).toBe(index + 1);
      }
    }),
    { seed: 1, numRuns: 200 },
  );
});

test('an answered client exchange is a pair of rows', () => {
  const log = logOf(asked(7, 'tools/call', { name: 'x' }), answered(7, {}));
  expect(log.row(log.row(0).peer! - 1).peer).toBe(1);
});

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

describe('auto mode with the probe and initialize in flight', () => {
  const PROBE = 'mcp-inspect-probe';
  const out = [
    asked(PROBE, 'server/discover'),
    happened({ event: 'probe-silent', afterMs: 2000 }),
    asked(1, 'initialize'),
  ];
  const error = (id: unknown) => got({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } });
  const verdict = (era: 'legacy' | 'modern') => happened({ event: 'probe', era, reason: 'x', respawn: false });
  const legacy = [answered(1, { serverInfo: { name: 'old' } }), verdict('legacy')];
  const modern = [answered(PROBE, { _meta: { [SERVER_INFO]: { name: 'new' } } }), verdict('modern')];

  test('gives up an unanswered probe', () => {
    const log = logOf(...out, ...legacy);
    expect(log.row(0)).toMatchObject({ status: 'cancelled' });
    expect(log.row(2)).toMatchObject({ status: 'ok' });
  });

  test.each([
    ['legacy', legacy, PROBE, 0],
    ['modern', modern, 1, 2],
  ] as const)('(%s) does not count a late refusal of the other request as a failure', (_era, opening, id, index) => {
    const log = logOf(...out, ...opening, error(id));
    expect(log.row(index)).toMatchObject({ status: 'refused' });
    expect(log.row(5)).toMatchObject({ kind: 'error', status: 'refused' });
    expect(log.latencies.table()).toMatchObject([{ method: 'initialize', errors: 0 }]);
  });

  test.each([
    ['legacy', legacy, answered(PROBE, { _meta: { [SERVER_INFO]: { name: 'new' } } }), 'old'],
    ['modern', modern, answered(1, { serverInfo: { name: 'old' } }), 'new'],
  ] as const)(
    '(%s) does not change the server after a late response to the other request',
    (_era, opening, late, name) => {
      expect(logOf(...out, ...opening, late).state.server.info?.name).toBe(name);
    },
  );
});

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

test('evicts only message text beyond the budget and keeps rows and state', () => {
  const whole = logWith();
  const log = logWith({ held: 0, again: 1000 });
  expect(whole.evictedUpTo).toBe(0);
  expect(log.evictedUpTo).toBe(FRAMES.length - 1);
  for (const { seq } of FRAMES) {
    expect(log.row(seq - 1)).toEqual(whole.row(seq - 1));
    expect(log.preview(seq - 1)).toBe(log.hasBytes(seq) ? whole.preview(seq - 1) : undefined);
  }
  expect(log.state).toEqual(whole.state);
  expect(log.exchange(6)).toEqual(whole.exchange(6));
  expect(FRAMES.map(({ seq }) => log.hasBytes(seq))).toEqual([true, true, true, true, true, false, false, false, true]);
  expect(log.json(6)).toBeUndefined();
});

test('restores evicted frames and ignores frames in memory', () => {
  const log = logWith({ held: 0, again: 1000 });
  expect(log.json(6)).toBeUndefined();
  log.restore([FRAMES[6]!, { ...FRAMES[1]!, bytes: new Uint8Array(3) }, { ...FRAMES[0]!, seq: 100 }]);
  expect(log.hasBytes(7)).toBe(true);
  expect(log.text(6)).toBe('{"jsonrpc":"2.0","id":2,"result":{"content":[]}}');
  expect(log.json(6)?.member('result')?.text).toBe('{"content":[]}');
  expect(log.json(1)?.member('result')?.text).toBe('{"tools":[{"name":"echo"}]}');
  expect(log.size).toBe(FRAMES.length);
});
