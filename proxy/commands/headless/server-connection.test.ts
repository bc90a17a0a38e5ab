import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import { isAnswer, messagesIn, resultText } from './server-connection';
import { hostileConnection, keptOutput, runAgainst } from './test-connection';

test.each<[string, unknown, string]>([
  ['{"id":1,"result": {"n": 9007199254740993, "n":1.0} }', {}, '{"n": 9007199254740993, "n":1.0}'],
  ['{"result":1,"id":1,"result":[2]}', [2], '[2]'],
  ['{"\\u0072esult":null,"id":1}', null, 'null'],
  ['[{"id":1,"result":{"a":1}}]', { a: 1 }, '{"a":1}'],
])('the result of %s', (line, result, text) => {
  expect(resultText(line, result)).toBe(text);
});

test('parses the messages of a line', () => {
  expect(messagesIn('[1,{"a":2}]')).toEqual([1, { a: 2 }]);
  expect(messagesIn('{"id":')).toEqual([]);
  expect(isAnswer({ id: null, result: 1 })).toBe(false);
});

describe('a subcommand', () => {
  test('prints a call’s result, and notes beside it', async () => {
    const { stdout, notes, code } = await runAgainst('burst', 'call', 'echo', '--arg', 'text=5');
    expect({ stdout, code }).toEqual({ stdout: ['5'], code: EXIT.fine });
    expect(notes).toHaveLength(10_000);
    expect(notes[0]).toMatch(/^log \| info: burst 0 /);
  });

  test('prints the exact result among junk, with any line ends', async () => {
    for (const behaviour of ['junk', 'banner', 'crlf', 'twice', 'unknown-id', 'slow-split']) {
      const { stdout } = await runAgainst(behaviour, 'call', 'echo', '--args', '{"text":"x"}', '--json');
      expect(stdout).toEqual([expect.stringMatching(/^\{"content":\[\{"type":"text","text":"x.*"\}\]\}$/)]);
    }
  });

  test('understands a first line with a byte order mark, and reports it once', async () => {
    const { stdout, notes, code } = await runAgainst('bom', 'call', 'echo', '--arg', 'text=x');
    expect({ stdout, code }).toEqual({ stdout: ['x'], code: EXIT.fine });
    expect(notes).toEqual([expect.stringMatching(/^mcp-inspect: The server’s output starts with a byte order mark/)]);
  });

  test('explains a call of several that was lost as it would explain a single one', async () => {
    const { stdout } = await runAgainst('exit-on-call', 'call', 'echo', '--times', '2');
    expect(stdout).toEqual([
      expect.stringMatching(/"lost".+The server exited with code 6 before it answered tools\/call/),
    ]);
  });

  test('prints a large result', async () => {
    const { stdout } = await runAgainst('big-line', 'call', 'echo', '--json');
    expect(stdout[0]).toHaveLength(20_000_000 + '{"content":[{"type":"text","text":""}]}'.length);
  });

  test('prints each page of a list exactly, and stops an endless list', async () => {
    const { stdout, code } = await runAgainst('endless-pages', 'list', 'tools', '--json');
    expect(stdout).toHaveLength(1000);
    expect(stdout[1]).toMatch(/"nextCursor":"2"\}$/);
    expect(code).toBe(EXIT.fine);
  });

  test('lists everything declared under headings', async () => {
    const { stdout } = await runAgainst('honest', 'list');
    expect(stdout).toEqual([
      'tools (1)',
      'NAME  ARGUMENTS  DESCRIPTION\necho  text       Answers with its argument.',
      '',
    ]);
  });

  test('raw: sends the text as given, and prints the whole answering line', async () => {
    const text = '{"jsonrpc":"2.0","id":"r","method":"tools/call","params":{"name":"echo",\n"arguments":{"text":1}}}';
    const { stdout, code } = await runAgainst('honest', 'raw', text);
    expect(stdout).toEqual(['{"jsonrpc":"2.0","id":"r","result":{"content":[{"type":"text","text":"1"}]}}']);
    expect(code).toBe(EXIT.fine);
  });

  test('raw: fails on an error, and does not wait without an id', async () => {
    const failed = await runAgainst('honest', 'raw', '{"jsonrpc":"2.0","id":"x","method":"nope"}');
    expect(failed.stdout).toEqual([expect.stringMatching(/"id":"x","error":/)]);
    expect(failed.code).toBe(EXIT.serverError);
    const notified = await runAgainst('honest', 'raw', '{"jsonrpc":"2.0","method":"notifications/cancelled"}');
    expect(notified).toMatchObject({ stdout: [], code: EXIT.fine });
  });

  test('raw: prints the answer to a batch, even with a repeated id', async () => {
    const text = '[{"id":1,"method":"a"},{"id":1,"method":"b"},{"method":"notifications/x"},{"id":"z","method":"c"}]';
    const { stdout, code } = await runAgainst('batches', 'raw', text);
    expect(stdout.map((line) => JSON.parse(line).length)).toEqual([3]);
    expect(code).toBe(EXIT.fine);
  });

  test('raw: prints an error without an id that refuses a batch', async () => {
    const { stdout, code } = await runAgainst('batches refuse', 'raw', '[{"id":1,"method":"a"},{"id":2,"method":"b"}]');
    expect(stdout).toEqual(['{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"No batches"}}']);
    expect(code).toBe(EXIT.serverError);
  });

  test('raw: sends several messages in turn, and reports a null id', async () => {
    const call = (id: string) =>
      `{"id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"text":${id}}}}`;
    const { stdout, notes } = await runAgainst('honest', 'raw', call('1'), call('null'), call('"b"'));
    expect(stdout.map((line) => JSON.parse(line).id)).toEqual([1, 'b']);
    expect(notes).toEqual([expect.stringContaining('no response can be matched')]);
  });

  test.each<[string, string]>([
    ['ping', 'ping'],
    ['', ''],
    ['{"id":', '{"id":'],
    [' \t{"id":1}} é\u0000\u2028', ' \t{"id":1}} é\u0000\u2028'],
    ['42', '42'],
    ['[]', '[]'],
    ['\ufeff', '\ufeff'],
  ])('raw: sends %j, and prints the error that refuses it', async (text, arrived) => {
    for (const behaviour of ['refuses-text', 'refuses-text null']) {
      const { stdout, notes, code } = await runAgainst(behaviour, 'raw', text);
      expect(JSON.parse(stdout[0]!).error.message).toBe(`Parse error: ${Buffer.from(arrived).toString('hex')}`);
      expect({ lines: stdout.length, notes, code }).toEqual({ lines: 1, notes: [], code: EXIT.serverError });
    }
  });

  test('raw: sends a text file without its last line feed, and a message file as one line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'text'), 'a\r\n');
    writeFileSync(join(folder, 'message'), '\ufeff{\n"jsonrpc":"2.0","id":5,\n"method":"ping"}\n\n');
    const text = await runAgainst('refuses-text', 'raw', `@${join(folder, 'text')}`);
    expect(text.stdout).toEqual([expect.stringContaining('Parse error: 610d"')]);
    const message = await runAgainst('refuses-text', 'raw', `@${join(folder, 'message')}`);
    expect(message).toMatchObject({ stdout: ['{"jsonrpc":"2.0","id":5,"result":{}}'], code: EXIT.fine });
  });

  test('raw: says so if the server ignores a text', async () => {
    const { stdout, notes, code } = await runAgainst('honest', 'raw', 'ping');
    expect({ stdout, code }).toEqual({ stdout: [], code: EXIT.fine });
    expect(notes).toEqual(['mcp-inspect: Sent text that is not a message. No error came within 1 s.']);
  });

  test('does not call a tool that the server does not list', async () => {
    const run = runAgainst('honest', 'call', 'ecko', '--arg', 'n=1');
    await expect(run).rejects.toMatchObject({ exitCode: EXIT.usage, message: expect.stringMatching(/mean `echo`\?/) });
  });
});

describe('a failure', () => {
  test.each<[string, string[], object]>([
    [
      'exit-at-once',
      ['list'],
      { code: 'server-exited', message: expect.stringMatching(/The server exited with code 3 before it was ready\.$/) },
    ],
    ['exit-on-initialize', ['list'], { code: 'server-exited' }],
    [
      'exit-on-call',
      ['call', 'echo'],
      {
        code: 'server-exited',
        message: expect.stringMatching(/The server exited with code 6 before it answered tools\/call\.$/),
      },
    ],
    [
      'crash',
      ['call', 'echo'],
      { message: expect.stringMatching(/^The server was ended by SIGKILL before it answered tools\/call\./) },
    ],
    ['exit-on-call', ['raw', '{"id":7,"method":"tools/call","params":{"name":"echo"}}'], { code: 'server-exited' }],
    [
      'silent',
      ['list', '--timeout', '0.3'],
      { exitCode: EXIT.timeout, message: expect.stringMatching(/within 0.3 seconds/) },
    ],
    [
      'id-as-string',
      ['call', 'echo'],
      { exitCode: EXIT.serverError, message: expect.stringContaining('wrong id: the string "') },
    ],
    [
      'no-id',
      ['call', 'echo'],
      {
        exitCode: EXIT.serverError,
        message: expect.stringMatching(/^The server answered tools\/call without an id\. Expected the number \d+\./),
      },
    ],
    [
      'silent',
      ['list', '--request-timeout', '0.3'],
      {
        code: 'handshake-timeout',
        message: expect.stringContaining('within 0.3 seconds (`--request-timeout`).'),
      },
    ],
    [
      'call-without-end',
      ['call', 'echo', '--request-timeout', '3'],
      { exitCode: EXIT.timeout, message: expect.stringContaining('Allow more time with `--request-timeout`.') },
    ],
    [
      'call-without-end',
      ['call', 'echo', '--request-timeout', '3', '--timeout', '60'],
      { exitCode: EXIT.timeout, message: expect.stringContaining('Allow more time with `--request-timeout`.') },
    ],
    [
      'call-without-end',
      ['call', 'echo', '--request-timeout', '60', '--timeout', '0.5'],
      { exitCode: EXIT.timeout, message: expect.stringContaining('Allow more time with `--timeout`.') },
    ],
    [
      'id-as-string',
      ['raw', '{"id":7,"method":"tools/call","params":{"name":"echo"}}', '--timeout', '0.5'],
      { exitCode: EXIT.timeout },
    ],
    ['honest', ['read', 'x:y'], { exitCode: EXIT.serverError }],
    ['honest', ['call', 'echo', '--args', '{'], { exitCode: EXIT.usage }],
    [
      'honest',
      ['call', 'echo', '--args', '@/nowhere.json'],
      { exitCode: EXIT.usage, message: expect.stringMatching(/It does not exist/) },
    ],
    ['honest', ['list', 'tool'], { exitCode: EXIT.usage, message: expect.stringMatching(/did you mean `tools`/) }],
    ['honest', ['raw', '@/nowhere'], { exitCode: EXIT.usage, message: expect.stringMatching(/It does not exist/) }],
    [
      'exit-on-call',
      ['raw', 'x', '{"id":7,"method":"tools/call","params":{"name":"echo"}}'],
      { code: 'server-exited' },
    ],
  ])('%s: %j', async (behaviour, argv, failure) => {
    await expect(runAgainst(behaviour, ...argv)).rejects.toMatchObject(failure);
  });

  test('closing while the server starts leaves nothing behind', async () => {
    const session = hostileConnection('stubborn', keptOutput());
    const opening = expect(session.open()).rejects.toMatchObject({ code: 'not-connected' });
    await session.close();
    await opening;
    expect(session.closing).toBe(true);
  });
});
