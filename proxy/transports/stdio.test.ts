import { describe, expect, test } from 'vitest';
import type { ConnectionError } from '@/lib/transports/transport';
import { FLAG } from '@/lib/wire/frame';
import { transportContract } from './contract';
import { call, fastClock, hostile, pidOf, request } from './fixtures/hostile';
import { start } from './fixtures/started';
import type { RecordingSink } from './recording-sink';

transportContract('stdio', (server, sink) => hostile(server, { sink, clock: fastClock }).transport, {
  lines: true,
  noticesEnd: true,
});

/** The text of the answer to the request `id`. */
const answer = (id: number | string, text: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });

/** The code of the failure that `run` throws. */
function refusal(run: () => void): string | undefined {
  try {
    run();
  } catch (error) {
    return (error as ConnectionError).code;
  }
  return undefined;
}

const answered = (sink: RecordingSink): boolean => sink.messages.some((message) => message.includes('"result"'));

describe('stdout', () => {
  test('a banner before the first message is frames, and the answer after it is found', async () => {
    const { transport, sink } = await start('banner');
    transport.send(call(1, 'hi'));
    await sink.until(answered);
    expect(sink.lines('protocol')).toEqual([
      '\x1b[32m*** Welcome to hostile-server ***\x1b[0m',
      '',
      'Listening on stdio…',
      answer(1, 'hi'),
    ]);
    expect(sink.messages).toEqual([answer(1, 'hi')]);
  });

  test('junk between messages is kept line by line in its place', async () => {
    const { transport, sink } = await start('junk');
    transport.send(call(1, 'hi'));
    await sink.until((seen) => seen.lines('protocol').some((text) => text.includes('server.js')));
    expect(sink.lines('protocol')).toEqual([
      'debug: got tools/call',
      '',
      '\0',
      '{"jsonrpc":"2.0","half":',
      '[1,2',
      'null',
      answer(1, 'hi'),
      '  at Object.<anonymous> (server.js:1:1)',
    ]);
  });

  test('the carriage return of CR LF stays in the frame', async () => {
    const { transport, sink } = await start('crlf');
    transport.send(call(1, 'hi'));
    await sink.until(answered);
    expect(sink.lines('protocol')).toEqual([`${answer(1, 'hi')}\r`]);
  });

  test('a byte order mark stays in the frame', async () => {
    const { transport, sink } = await start('bom');
    transport.send(call(1, 'hi'));
    await sink.until(answered);
    expect([...sink.of('protocol')[0]!.bytes.subarray(0, 4)]).toEqual([0xef, 0xbb, 0xbf, 0x7b]);
  });

  test('U+2028, U+2029, U+0085 and NUL do not end a line', async () => {
    const { transport, sink } = await start('separators');
    transport.send(call(1, 'hi'));
    await sink.until(answered);
    expect(sink.lines('protocol')).toEqual([answer(1, 'a\u2028b\u2029c\u0085d\0e')]);
  });

  test('bytes that are no UTF-8 are kept', async () => {
    const { transport, sink } = await start('invalid-utf8');
    transport.send(call(1, 'hi'));
    await sink.until(answered);
    const bytes = Buffer.from(sink.of('protocol')[0]!.bytes);
    expect(bytes.includes(Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80]))).toBe(true);
    expect(sink.messages[0]).toContain('\uFFFD');
  });

  test('a line in pieces of 7 bytes, cut inside characters, is one frame', async () => {
    const { transport, sink } = await start('slow-split');
    transport.send(call(1, 'hi'));
    await sink.until(answered);
    expect(sink.lines('protocol')).toEqual([answer(1, 'hi é€😀')]);
  });

  test('an answer of 20 MB on one line arrives whole', async () => {
    const { transport, sink } = await start('big-line');
    transport.send(call(1, 'hi'));
    await sink.until(answered);
    expect(sink.messages[0]).toHaveLength(answer(1, '').length + 20_000_000);
  });

  test('a last line without its line feed is kept and flagged, and is no message', async () => {
    const { transport, sink } = await start('no-final-newline');
    transport.send(call(1, 'hi'));
    await sink.until((seen) => seen.ends.length > 0);
    expect(sink.of('protocol').map((frame) => frame.flags)).toEqual([FLAG.unterminated]);
    expect(sink.lines('protocol')).toEqual([answer(1, 'hi')]);
    expect(sink.messages).toEqual([]);
  });

  test('a burst of notifications is all there, and only the answer goes to the engine', async () => {
    const { transport, sink } = await start('burst');
    transport.send(call(1, 'hi'));
    await sink.until(answered);
    const lines = sink.lines('protocol');
    expect(lines).toHaveLength(10_001);
    expect(lines.slice(0, -1).every((text, index) => text.includes(`"burst ${index} `))).toBe(true);
    expect(sink.messages).toEqual([answer(1, 'hi')]);
  });
});

describe('stderr', () => {
  test('20 MB of it neither block the server nor lose a line', async () => {
    const { transport, sink } = await start('stderr-flood');
    transport.send(call(1, 'hi'));
    await sink.until(answered);
    await sink.until((seen) => seen.of('stderr').length >= 200_000);
    const stderr = sink.of('stderr');
    expect(stderr.reduce((sum, frame) => sum + frame.bytes.length, 0)).toBe(99 * 200_000);
    expect(sink.lines('protocol')).toEqual([answer(1, 'hi')]);
  });

  test('a prompt without a line feed is shown all the same', async () => {
    const { sink } = await start('stderr-prompt');
    await sink.until((seen) => seen.of('stderr').length > 0);
    expect(sink.lines('stderr')).toEqual(['Password: ']);
    expect(sink.of('stderr')[0]!.flags).toBe(FLAG.continued);
  });
});

describe('stdin', () => {
  test('line feeds between the tokens of a message do not cut it in two', async () => {
    const { transport, sink } = await start('mirror');
    transport.send('{\r\n  "id": 1,\n  "x": "a\\nb"\n}');
    await sink.until((seen) => seen.of('protocol').length > 0);
    expect(sink.lines('protocol')).toEqual(['{    "id": 1,   "x": "a\\nb" }']);
    expect(sink.lines('protocol', 'to-server')).toEqual(sink.lines('protocol'));
  });

  test('raw bytes with line feeds are a frame a line, as the server reads them', async () => {
    const { transport, sink } = await start('mirror');
    const seq = transport.sendRaw(Buffer.from('one\n\nthree'), true);
    await sink.until((seen) => seen.of('protocol').length === 3);
    expect(sink.of('protocol', 'to-server')[0]!.seq).toBe(seq);
    expect(sink.lines('protocol', 'to-server')).toEqual(['one', '', 'three']);
    expect(sink.lines('protocol')).toEqual(['one', '', 'three']);
  });

  test('no bytes at all are still a frame to point at', async () => {
    const { transport, sink } = await start('mirror');
    expect(transport.sendRaw(new Uint8Array(), false)).toBe(2);
    expect(sink.of('protocol', 'to-server').map((frame) => frame.flags)).toEqual([FLAG.unterminated]);
  });

  test('EPIPE is survived: the server lives, and a later message is refused with the reason', async () => {
    const { transport, sink } = await start('closes-stdin', { clock: fastClock });
    await sink.until((seen) => seen.lines('protocol').includes('stdin closed'));
    transport.send(request(1, 'ping'));
    await expect.poll(() => refusal(() => transport.send(request(2, 'ping')))).toBe('stdin-closed');
    expect(sink.ends).toEqual([]);
    await transport.close();
    expect(sink.ends).toEqual([{ code: null, signal: 'SIGTERM' }]);
  });

  test('a server that reads nothing does not fill our memory', async () => {
    const { transport, sink } = await start('silent', { clock: fastClock });
    process.kill(pidOf(sink), 'SIGSTOP');
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    let sent = 0;
    while (sent < 100 && refusal(() => transport.sendRaw(megabyte, true)) === undefined) sent++;
    expect(refusal(() => transport.sendRaw(megabyte, true))).toBe('server-not-reading');
    expect(sent).toBeGreaterThanOrEqual(64);
    expect(sent).toBeLessThan(70);
  });
});
