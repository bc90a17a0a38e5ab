import { expect, test } from 'vitest';
import { answered, asked, complained, type FrameSeed, got, happened, logOf } from '@/lib/store/test-frames';
import { FLAG } from '@/lib/wire/frame';
import type { Failure, LifecycleEvent } from '@/lib/wire/lifecycle';
import { diagnose } from './diagnose';
import { adviceText, causeText, diagnosisText } from './diagnosis';

const START = {
  event: 'start',
  at: '2026-01-01T00:00:00Z',
  name: 'x',
  transport: 'stdio',
  cwd: '/',
  protocol: 'auto',
  environment: { policy: 'shell', inherited: [], added: [] },
} as const;

const EXITED = { code: 'server-exited', message: 'The server exited.', advice: 'Look.' };
const LATE = {
  code: 'handshake-timeout',
  message: 'The server did not answer initialize within 30 seconds.',
  advice: 'Look.',
};

function ended(command: string, failure: Failure, ...seeds: readonly FrameSeed[]) {
  const [program, ...args] = command.split(' ');
  const log = logOf(
    happened({ ...START, command: program!, args } as LifecycleEvent),
    happened({ event: 'spawned', pid: 7 }),
    asked(1, 'initialize'),
    ...seeds,
    happened({ event: 'failed', ...failure }),
  );
  return diagnose(log)!;
}

const exit = (code: number) => happened({ event: 'exit', code, signal: null });

test('the error that ended the process comes first, with its frame', () => {
  const diagnosis = ended('node x.js', EXITED, complained('starting'), complained('Error: no key'), exit(1));
  expect(diagnosis).toMatchObject({ code: 'server-exited', said: { text: 'Error: no key', seq: 5 }, seq: 5 });
  expect(causeText(diagnosis)).toBe('`Error: no key`. The server exited with code 1 before it was ready.');
  expect(diagnosis.evidence).toEqual([
    { text: 'started as process 7', seq: 2 },
    { text: 'initialize has no response', seq: 3 },
    { text: 'stderr: Error: no key', seq: 5 },
    { text: 'exited with code 1', seq: 6 },
  ]);
  expect(diagnosisText(diagnosis, 'node x.js')).toContain('          exited with code 1  (#6)');
});

test('a process that closed its stdin is explained by what it printed and how it was started', () => {
  const closed = {
    code: 'stdin-closed',
    message: 'The server runs, but it has closed its standard input.',
    advice: 'Look.',
  };
  expect(ended('docker run --rm mcp/time', closed)).toMatchObject({ code: 'container-without-stdin' });
  const diagnosis = ended('node x.js', closed);
  expect(causeText(diagnosis)).toBe('The server runs, but it has closed its standard input. It printed nothing.');
  expect(diagnosis.advice).toContain('reads its stdin');
  expect(ended('node x.js', closed, answered(1, {}))).toMatchObject({ code: 'stdin-closed', advice: 'Look.' });
});

test('a line that is not an error is not called one', () => {
  const diagnosis = ended('node x.js', EXITED, complained('loading plugins'), exit(1));
  expect(diagnosis).toMatchObject({ said: { text: 'loading plugins' }, advice: expect.stringMatching(/last line/) });
  const killed = happened({ event: 'exit', code: null, signal: 'SIGKILL' });
  expect(ended('node x.js', EXITED, complained('starting'), killed).advice).toMatch(/memory/);
});

test('a process that reported an error and stays silent', () => {
  const lines = ['HTTP error: TypeError: fetch failed', '    at send (/srv/x.js:1:2) {', "  code: 'ENOTFOUND'", '}'];
  const { printed } = ended('node x.js', LATE, ...lines.map((line) => complained(line)));
  expect(printed).toBe('It printed nothing on stdout. It reported on stderr: `HTTP error: TypeError: fetch failed`.');
});

test('a process that only printed its usage', () => {
  const usage = ['Usage: serve <command> [options]', '', 'Commands:', '  mcp    Start the server', "Run 'serve mcp'."];
  expect(ended('node x.js', EXITED, ...usage.map((line) => complained(line)), exit(1))).toMatchObject({
    said: { text: 'Usage: serve <command> [options]' },
    advice: 'It printed its usage. Check the arguments of the command.',
  });
});

test('a second start is not told after the handshake', () => {
  const diagnosis = ended(
    'node x.js',
    EXITED,
    exit(1),
    happened({ event: 'probe', era: 'legacy', reason: 'It exited.', respawn: true }),
    happened({ event: 'spawned', pid: 8 }),
    asked(2, 'initialize'),
    answered(2, { protocolVersion: '2025-06-18' }),
    happened({ event: 'open', era: 'legacy', version: '2025-06-18' }),
    asked(3, 'tools/list'),
    complained('Error: x'),
    exit(1),
  );
  expect(diagnosis.what).toContain('before it answered tools/list');
  expect(diagnosis.did).toBeUndefined();
});

test('what mcp-inspect did comes last', () => {
  const again = [
    happened({ event: 'probe', era: 'legacy', reason: 'It exited.', respawn: true }),
    happened({ event: 'spawned', pid: 8 }),
  ];
  const diagnosis = ended(
    'node x.js',
    EXITED,
    exit(1),
    ...again,
    asked(2, 'initialize'),
    complained('Error: x'),
    exit(1),
  );
  expect(adviceText(diagnosis)).toMatch(/^Fix this error.+ The server was started twice: .+\.$/);
});

test('an error on stdout counts if stderr names none', () => {
  const diagnosis = ended('node x.js', EXITED, complained('npm notice'), got('Error: no port'), exit(1));
  expect(causeText(diagnosis)).toMatch(
    /^`Error: no port`\. .+ It printed 1 line on stdout that is not an MCP message\./,
  );
});

test('silence names what was printed, and never as nothing beside a message', () => {
  expect(causeText(ended('node x.js', LATE))).toBe(`${LATE.message} It printed nothing.`);
  const logs = got({ jsonrpc: '2.0', method: 'notifications/message', params: {} });
  expect(causeText(ended('node x.js', LATE, logs))).toBe(
    `${LATE.message} It printed only other MCP messages on stdout.`,
  );
  expect(adviceText(ended('node x.js', LATE, logs))).toBe(
    'Allow it more time, or look in its log for what it waits for.',
  );
  const wrongId = ended('node x.js', LATE, got({ jsonrpc: '2.0', id: '1', result: {} }));
  expect(wrongId).toMatchObject({ code: 'answer-broken', what: expect.stringContaining('expected the number 1') });
  const named = { code: 'wrong-id', message: 'The server answered initialize with the wrong id.', advice: 'Copy it.' };
  const answer = got({ jsonrpc: '2.0', id: '1', result: {} });
  expect(ended('node x.js', named, answer)).toMatchObject({ code: 'wrong-id', what: named.message });
});

test('a response whose line never ended is named, and more time would not help', () => {
  const late = { code: 'timeout', message: 'The server did not respond within 4 seconds.', advice: 'Allow more time.' };
  const start = '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"te';
  const diagnosis = ended('node x.js', late, asked(2, 'tools/call'), got(start, FLAG.unterminated));
  expect(causeText(diagnosis)).toBe(
    `The server sent a line that looks like the response to tools/call, and no newline after it: \`${start}\`.`,
  );
  expect(adviceText(diagnosis)).not.toContain('more time');
});

test('a whole response without a newline is named, while the process runs and after its end', () => {
  const late = { code: 'timeout', message: 'The server did not respond within 4 seconds.', advice: 'Allow more time.' };
  const text = '{"jsonrpc":"2.0","id":2,"result":{}}';
  const what = `The server sent a line that looks like the response to tools/call, and no newline after it: \`${text}\`.`;
  const running = happened({ event: 'line-unended', text });
  expect(causeText(ended('node x.js', late, asked(2, 'tools/call'), running))).toBe(what);
  expect(causeText(ended('node x.js', late, asked(2, 'tools/call'), got(text, FLAG.unterminated)))).toBe(what);
});

test('a response after a Content-Length header is a matter of that header', () => {
  const broken = { code: 'answer-broken', message: 'It is broken.', advice: 'Look.' };
  const running = happened({ event: 'line-unended', text: '{"jsonrpc":"2.0","id":1,"result":{}}' });
  const diagnosis = ended('node x.js', broken, got('Content-Length: 36\r'), got('\r'), running);
  expect(diagnosis).toMatchObject({ code: 'wrong-framing', what: expect.stringContaining('`Content-Length` headers') });
  expect(diagnosis.advice).not.toContain('newline');
});

test('an exit after the handshake names the request that it left unanswered', () => {
  const open = happened({ event: 'open', era: 'legacy', version: '2025-11-25' });
  const crash = ended(
    'node x.js',
    EXITED,
    answered(1, {}),
    open,
    asked(2, 'tools/call'),
    complained('Error: x'),
    exit(3),
  );
  expect(causeText(crash)).toBe('`Error: x`. The server exited with code 3 before it answered tools/call.');
  const failed = answered(2, { isError: true, content: [] });
  const later = ended('node x.js', EXITED, answered(1, {}), open, asked(2, 'tools/call'), failed, exit(3));
  expect(causeText(later)).not.toContain('before it answered');
  const calm = ended('node x.js', EXITED, answered(1, {}), open, asked(2, 'tools/call'), exit(0));
  expect(calm.advice).toBe('It ended itself without an error. Check what it does on tools/call.');
});

test.each([
  'docker run --rm mcp/time',
  '/usr/bin/podman run mcp/time',
  'docker run -e KEY=i mcp/time',
  'docker --context far container run mcp/time',
])('%s has no stdin', (command) => {
  expect(ended(command, EXITED, exit(0))).toMatchObject({
    code: 'container-without-stdin',
    what: expect.stringContaining('without `-i`'),
  });
});

test.each([
  'docker run -i mcp/time',
  'docker run --rm -di mcp/time',
  'docker run --interactive=true x',
  'docker ps',
  'docker mcp gateway run',
  'docker --debug compose run server',
])('%s is not blamed for its stdin', (command) => {
  expect(ended(command, EXITED, exit(0)).code).not.toBe('container-without-stdin');
});

test('other failures keep their own sentences', () => {
  const missing = { code: 'command-not-found', message: 'The command x was not found.', advice: 'Check PATH.' };
  expect(ended('x', missing)).toMatchObject({
    code: 'command-not-found',
    what: missing.message,
    advice: missing.advice,
  });
});

test('a cause that the output shows follows the error and the exit', () => {
  const stack = [
    'Traceback (most recent call last):',
    '  File "/srv/s.py", line 1',
    "ModuleNotFoundError: No module named 'mcp'",
  ];
  const diagnosis = ended('python3 s.py', EXITED, ...stack.map(complained), exit(1));
  expect(causeText(diagnosis)).toBe(
    [
      "`ModuleNotFoundError: No module named 'mcp'`.",
      'The server exited with code 1 before it was ready.',
      'The interpreter `python3` ran the server, and it does not have the package `mcp`.',
    ].join(' '),
  );
  expect(diagnosis).toMatchObject({ code: 'module-missing', said: { seq: 6 } });
});

test('a line that is not an error is quoted first only after an exit with an error', () => {
  expect(causeText(ended('./x', EXITED, complained('config has no key "region"'), exit(1)))).toMatch(
    /^`config has no key "region"`\. /,
  );
  expect(causeText(ended('./x', EXITED, complained('up'), exit(0)))).toMatch(
    /^The server exited with code 0 .+ reported no error/,
  );
  expect(causeText(ended('./x', EXITED, complained('INFO up'), exit(1)))).toMatch(/^The server exited with code 1/);
});

test('a process that printed nothing on stdout may not read its stdin', () => {
  expect(adviceText(ended('cat', LATE))).toContain('reads its stdin');
  expect(adviceText(ended('cat', LATE, complained('up')))).toContain('reads its stdin');
  expect(adviceText(ended('cat', LATE, got('up')))).not.toContain('reads its stdin');
});
