import { describe, expect, test, vi } from 'vitest';
import type { Channel, Direction } from '@/lib/wire/frame';
import { NonMcpOutput } from './non-mcp-output';

/** Returns its report on these lines. */
function linesOf(
  lines: readonly (string | Uint8Array)[],
  channel: Channel = 'protocol',
  direction: Direction = 'to-client',
) {
  const stray = new NonMcpOutput();
  let seq = 0;
  const append = stray.tap(() => ++seq);
  for (const line of lines) {
    const bytes = typeof line === 'string' ? new TextEncoder().encode(line) : line;
    append(channel, direction, 0, 0, bytes, 0, bytes.length);
  }
  return { stray, append };
}

describe('lines that are not messages', () => {
  test('are counted, and the first is quoted within limits; blank lines don’t count', () => {
    const { stray } = linesOf([
      '',
      '\u001b[31mhel\tlo\u001b[0m',
      '{"jsonrpc":"2.0","method":"notifications/message"}',
      '{}',
    ]);
    expect(stray.takeLines()).toEqual({
      lines: 2,
      first: 'hel lo',
      message:
        'The server printed 2 lines on stdout that are not MCP messages. First: `hel lo`. Print logs to stderr instead.',
    });
    expect(stray.takeLines()).toBeUndefined();
    const { stray: one } = linesOf(['x'.repeat(5_000_000)]);
    expect(one.takeLines()?.message).toMatch(/^The server printed 1 line on stdout that is not an MCP message\./);
    expect(linesOf([`${'y'.repeat(5000)}`]).stray.takeLines()?.first).toBe(`${'y'.repeat(120)}…`);
  });

  test('are quoted from the start of an object that spans lines', () => {
    const { stray } = linesOf([...JSON.stringify({ level: 'info', message: 'up' }, null, 2).split('\n'), 'after']);
    expect(stray.takeLines()).toMatchObject({ lines: 5, first: '{ "level": "info", "message": "up" }' });
  });

  test.each([
    [JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} }, null, 2).split('\n')],
    [['{"jsonrpc":"2.0","id":1,"resu', 'lt":{}}']],
    [["{'jsonrpc': '2.0', 'id': 1, 'result': None}"]],
  ])('that begin a message get other advice than logs: %j', (lines) => {
    expect(linesOf(lines).stray.takeLines()).toMatchObject({
      isTorn: true,
      message: expect.stringMatching(/It looks like an MCP message\. Print each message as JSON, on one line\.$/),
    });
    expect(linesOf(['jsonrpc server ready']).stray.takeLines()).not.toHaveProperty('isTorn');
  });

  test('are those of the newest process, and include the first that names an error', () => {
    const { stray, append } = linesOf(['the first start', 'Error: the first start']);
    const spawned = new TextEncoder().encode('{"event":"spawned","pid":2}');
    append('lifecycle', 'to-client', 0, 0, spawned, 0, spawned.length);
    for (const line of ['starting', 'Error: no token', 'bye']) {
      const bytes = new TextEncoder().encode(line);
      append('protocol', 'to-client', 0, 0, bytes, 0, bytes.length);
    }
    expect(stray.takeLines()?.message).toMatch(/printed 3 lines .* First: `starting`\. Then: `Error: no token`\./);
  });

  test('are announced once a process', () => {
    const onFirst = vi.fn();
    const stray = new NonMcpOutput({ onFirst });
    const append = stray.tap(() => 1);
    const bytes = new TextEncoder().encode('hi');
    for (let i = 0; i < 3; i++) append('protocol', 'to-client', 0, 0, bytes, 0, bytes.length);
    expect(onFirst).toHaveBeenCalledTimes(1);
  });

  test('do not include lines on stderr, nor lines that we sent', () => {
    expect(linesOf(['hello'], 'stderr').stray.takeLines()).toBeUndefined();
    expect(linesOf(['hello'], 'protocol', 'to-server').stray.takeLines()).toBeUndefined();
  });

  const ANSWER = { jsonrpc: '2.0', id: 1, result: {} };
  const JSON_TEXT = JSON.stringify(ANSWER);

  test.each<[string, readonly (string | Uint8Array)[], number]>([
    ['over several lines', JSON.stringify(ANSWER, null, 2).split('\n'), 5],
    ['behind a prefix', [`INFO ${JSON_TEXT}`], 1],
    ['of Python', ["{'jsonrpc': '2.0', 'id': 1, 'result': None}"], 1],
    ['in a string', [JSON.stringify(JSON_TEXT)], 1],
    ['in UTF-16', [Buffer.from(JSON_TEXT, 'utf16le')], 1],
    ['without its end', [JSON_TEXT.slice(0, -1)], 1],
    ['twice', [JSON_TEXT + JSON_TEXT], 1],
    ['with its id as text', [`> ${JSON_TEXT.replace('1', '"1"')}`], 1],
  ])('that look like the answer to a request are reported: %s', (_what, lines, count) => {
    const onBrokenAnswer = vi.fn();
    const stray = new NonMcpOutput({ awaits: (id) => id === 1, onBrokenAnswer });
    let seq = 0;
    const append = stray.tap(() => ++seq);
    for (const line of lines) {
      const bytes = Buffer.from(line as string);
      append('protocol', 'to-client', 0, 0, bytes, 0, bytes.length);
    }
    expect(onBrokenAnswer).toHaveBeenLastCalledWith(1, expect.objectContaining({ lines: count }));
    expect(stray.takeLines()).toMatchObject({ isTorn: true, message: expect.not.stringContaining('Print logs') });
  });

  test('that are the result of a request alone are reported', () => {
    const onBrokenAnswer = vi.fn();
    const listener = { awaits: () => true, oldestOf: (method: string) => (method === 'tools/list' ? 5 : undefined) };
    const stray = new NonMcpOutput({ ...listener, onBrokenAnswer });
    const append = stray.tap(() => 1);
    for (const line of ['{"content":"up","level":"info"}', '{"messages":[]}', '{"tools":[]}']) {
      const bytes = Buffer.from(line);
      append('protocol', 'to-client', 0, 0, bytes, 0, bytes.length);
    }
    expect(onBrokenAnswer.mock.calls).toEqual([[5, { text: '{"tools":[]}', lines: 1, unended: false }]]);
  });

  test('that have no newline after them are reported', () => {
    const onBrokenAnswer = vi.fn();
    const append = new NonMcpOutput({ awaits: (id) => id === 1, onBrokenAnswer }).tap(() => 1);
    const bytes = Buffer.from(JSON.stringify({ event: 'line-unended', text: JSON_TEXT }));
    append('lifecycle', 'to-client', 0, 0, bytes, 0, bytes.length);
    expect(onBrokenAnswer.mock.calls).toEqual([[1, { text: JSON_TEXT, lines: 1, unended: true }]]);
  });

  test.each([
    ['a log line with an id', '{"level":"error","id":1,"error":"no"'],
    ['a request that it logs', 'got {"jsonrpc":"2.0","id":1,"method":"initialize"}'],
    ['the answer to nobody', `INFO ${JSON_TEXT.replace('1', '2')}`],
    ['an answer without an id', 'INFO {"jsonrpc":"2.0","result":{}}'],
  ])('are not taken for the answer: %s', (_what, line) => {
    const onBrokenAnswer = vi.fn();
    const append = new NonMcpOutput({ awaits: (id) => id === 1, onBrokenAnswer }).tap(() => 1);
    const bytes = Buffer.from(line);
    append('protocol', 'to-client', 0, 0, bytes, 0, bytes.length);
    expect(onBrokenAnswer).not.toHaveBeenCalled();
  });
});
