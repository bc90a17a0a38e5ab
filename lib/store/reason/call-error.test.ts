import { describe, expect, test } from 'vitest';
import { answered, asked, complained, got, happened, logOf } from '@/lib/store/test-frames';
import { callError, callErrorInLog, crashInLog } from './call-error';

const TRACEBACK = [
  'Traceback (most recent call last):',
  '  File "/srv/lib/python3.11/site-packages/mcp/server.py", line 300, in call_tool',
  '    return await tool(arguments)',
  '  File "/srv/weather/server.py", line 10, in temperature',
  "    return readings[city]['temp']",
  '           ~~~~~~~~~~~~~~^^^^^^^^',
  "KeyError: 'temp'",
];
const KEY_ERROR = { text: "KeyError: 'temp'", place: '/srv/weather/server.py:10' };
const STACK = [
  'TypeError: station.read is not a function',
  '    at temperature (file:///srv/weather/server.js:12:34)',
  '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
];
const RAISED_FROM = ['', 'The above exception was the direct cause of the following exception:', ''];
const WHILE_HANDLING = ['', 'During handling of the above exception, another exception occurred:', ''];
const wrapped = (text: string) => [
  'Traceback (most recent call last):',
  '  File "/srv/lib/python3.11/site-packages/fastmcp/tool.py", line 80, in run',
  '    raise ToolError(message) from error',
  `fastmcp.exceptions.ToolError: ${text}`,
];

describe('an exception is the one that the response has', () => {
  test.each<[title: string, lines: readonly string[], said: string, found: object]>([
    ['as its message', TRACEBACK, "'temp'", KEY_ERROR],
    ['as its message without quotes', TRACEBACK, 'temp', KEY_ERROR],
    ['as its type and message', TRACEBACK, "KeyError: 'temp'", KEY_ERROR],
    ['within a sentence', TRACEBACK, "Error executing tool temperature: 'temp'", KEY_ERROR],
    ['in Node', STACK, 'station.read is not a function', { text: STACK[0], place: '/srv/weather/server.js:12' }],
    [
      'without a message',
      [...TRACEBACK.slice(0, -1), 'AssertionError'],
      'Tool failed: AssertionError',
      { text: 'AssertionError' },
    ],
    ['before a later error', [...TRACEBACK, 'ERROR: cache is full', ...STACK], "'temp'", KEY_ERROR],
    [
      'raised again by a library',
      [...TRACEBACK, ...RAISED_FROM, ...wrapped("Error executing tool t: 'temp'")],
      "Error executing tool t: 'temp'",
      KEY_ERROR,
    ],
    [
      'raised again with other words',
      [...TRACEBACK, ...RAISED_FROM, ...wrapped('The station is silent')],
      'The station is silent',
      KEY_ERROR,
    ],
    [
      'among errors of several lines',
      [
        'Traceback (most recent call last):',
        '  File "server.py", line 3, in f',
        'ValueError: 2 validation errors for X',
        'city',
        '  Field required',
      ],
      '2 validation errors for X\ncity\n  Field required',
      { place: 'server.py:3' },
    ],
  ])('%s', (_, lines, said, found) => {
    expect(callError(lines, [said])).toMatchObject({ ...found, isSame: true });
  });

  test('rather than one that was being handled', () => {
    const lines = [...TRACEBACK, ...WHILE_HANDLING, ...wrapped('The station is silent')];
    expect(callError(lines, ['The station is silent'])?.text).toBe(
      'fastmcp.exceptions.ToolError: The station is silent',
    );
  });

  test('in a box of rich', () => {
    const lines = [
      '[11/29/26 10:00:00] ERROR    Error calling tool temperature            tools.py:150',
      '                    ╭──────────── Traceback (most recent call last) ────────────╮',
      '                    │ /srv/main.py:4 in call                                     │',
      '                    │                                                            │',
      '                    │ /srv/weather/server.py:10 in temperature                   │',
      '                    │ ❱ 10     return readings[city]["temp"]                     │',
      '                    ╰────────────────────────────────────────────────────────────╯',
      "                    KeyError: 'temp'",
    ];
    expect(callError(lines, ["Error calling tool 'temperature': 'temp'"])).toMatchObject({
      ...KEY_ERROR,
      isSame: true,
    });
  });
});

describe('an error is not claimed', () => {
  test.each<[title: string, lines: readonly string[], said: string]>([
    ['if the response has another one', TRACEBACK, 'no such station'],
    ['if the response has only a part of its word', ['ValueError: rate'], 'Invalid temperature'],
    ['if its message is too short to tell', ['ValueError: 5'], 'Timeout after 5 seconds'],
    ['if the response has no text', TRACEBACK, ''],
  ])('%s', (_, lines, said) => {
    expect(callError(lines, [said])).toMatchObject({ isSame: false });
  });

  test('if nothing states one', () => {
    expect(callError(['reading oslo', 'cache miss'], ["'temp'"])).toBeUndefined();
  });
});

test('an error has the frame of its line', () => {
  const log = logOf(
    asked(1, 'tools/call', { name: 't' }),
    ...TRACEBACK.map(complained),
    answered(1, { isError: true }),
  );
  const seqs = TRACEBACK.map((_, at) => at + 2);
  expect(callErrorInLog(log, seqs, ["'temp'"])).toMatchObject({ ...KEY_ERROR, stream: 'stderr', seq: 8, isSame: true });
});

test('a crash has its place', () => {
  const log = logOf(
    happened({ event: 'spawned', pid: 7 }),
    asked(1, 'tools/call', {}),
    got('x'),
    ...STACK.map(complained),
  );
  expect(crashInLog(log, [4, 5, 6])).toMatchObject({ text: STACK[0], seq: 4, place: '/srv/weather/server.js:12' });
});
