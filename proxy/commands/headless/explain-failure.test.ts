import { describe, expect, test } from 'vitest';
import { ConnectionError } from '@/lib/transports/transport';
import type { Frame } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { EXIT, ExitError } from '@/proxy/cli/exit-code';
import { explainFailure } from './explain-failure';
import { LateError } from './late-error';
import { RecentFrames } from './recent-frames';
import { runAgainst } from './test-connection';

const call = (...more: string[]) => ['call', 'echo', '--args', '{"text":"x"}', '--timeout', '1.5', ...more];

describe('explains a missing answer of a real server', () => {
  test.each<[string, RegExp]>([
    ['nan', /looks like the response to tools\/call: `\{"jsonrpc": "2\.0", .+`\. `NaN` is not JSON\./],
    ['pretty', /`\{ "jsonrpc": "2\.0", "id": \d+, .+It is printed over 12 lines, but a message must be one line\./],
    ['repr', /Strings in single quotes are not JSON\./],
    [
      'call-without-end',
      /^The server did not respond within 1\.5 seconds\. It printed only other MCP messages on stdout\. Allow more time with `--timeout`\.$/,
    ],
  ])('%s', async (behaviour, message) => {
    await expect(runAgainst(behaviour, ...call())).rejects.toMatchObject({
      exitCode: EXIT.timeout,
      message: expect.stringMatching(message),
    });
  });

  test.each<[string, RegExp]>([
    [
      'goodbye',
      /^`goodbye`\. The server exited with code \d+ before it answered tools\/call\. It printed 1 line on stdout that is not an MCP message\. First: `goodbye`\.$/,
    ],
    [
      'exit-on-call',
      /^`Traceback: something is None`\. The server exited with code \d+ before it answered tools\/call\.$/,
    ],
  ])('%s', async (behaviour, message) => {
    await expect(runAgainst(behaviour, ...call())).rejects.toMatchObject({
      code: 'server-exited',
      message: expect.stringMatching(message),
    });
  });

  test('a malformed handshake', async () => {
    await expect(runAgainst('pretty-handshake', 'list', '--timeout', '1.5')).rejects.toMatchObject({
      message: expect.stringMatching(/looks like the response to initialize: .+printed over 5 lines/),
    });
  });

  test('raw, by its own id', async () => {
    const message = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo"}}';
    await expect(runAgainst('id-as-string', 'raw', message, '--timeout', '1.5')).rejects.toMatchObject({
      message: expect.stringMatching(/expected the number 7\./),
    });
  });
});

/** Keeps lifecycle events and lines of stderr. */
function kept(...lines: readonly (LifecycleEvent | string)[]) {
  const recent = new RecentFrames();
  let seq = 0;
  const append = recent.tap(() => ++seq);
  for (const line of lines) {
    const bytes = new TextEncoder().encode(typeof line === 'string' ? line : JSON.stringify(line));
    append(typeof line === 'string' ? 'stderr' : 'lifecycle', 'to-client', 0, 0, bytes, 0, bytes.length);
  }
  return recent;
}

const NAMED = { event: 'start', at: '2026-01-01T00:00:00Z', name: 'x', protocol: 'auto' } as const;
const ENVIRONMENT = { policy: 'shell', inherited: [], added: [] } as const;
const START: LifecycleEvent = {
  ...NAMED,
  transport: 'stdio',
  command: 'x',
  args: [],
  cwd: '/',
  environment: ENVIRONMENT,
};
const URL_START: LifecycleEvent = { ...NAMED, transport: 'auto', url: 'http://h/mcp', headerNames: [] };

test('keeps the code and the exit code, and leaves other errors alone', () => {
  const { parts } = kept(START, { event: 'spawned', pid: 1 }, 'Error: no ship');
  const failure = new ConnectionError({ code: 'handshake-timeout', message: 'Too late.', advice: 'a' });
  expect(explainFailure(failure, parts)).toMatchObject({
    failure: {
      code: 'handshake-timeout',
      message: expect.stringContaining('It reported on stderr: `Error: no ship`'),
    },
    cause: { message: 'Too late.' },
  });
  expect(explainFailure(new LateError('Late.', '--timeout'), parts)?.error).toMatchObject({ exitCode: EXIT.timeout });
  expect(explainFailure(new ExitError(EXIT.usage, 'x'), parts)).toBeUndefined();
  expect(explainFailure('x', parts)).toBeUndefined();
});

test('a sign-in that waits is not called silence', () => {
  const needed: LifecycleEvent = {
    event: 'authorization',
    phase: 'needed',
    issuer: 'https://as.example',
    scopes: [],
    url: 'https://as.example/authorize',
  };
  const { parts } = kept(URL_START, needed);
  const { error } = explainFailure(new LateError('The server did not respond within 4 seconds.', '--timeout'), parts)!;
  expect(error.message).toMatch(/requires a sign-in at https:\/\/as\.example\. Nobody signed in within the time\./);
  expect(error.message).toContain('`--timeout`');
  expect(error.message).not.toMatch(/did not respond|sent nothing/);
});

test('keeps the start and the end of a long connection', () => {
  const recent = kept(START, { event: 'spawned', pid: 1 }, ...Array.from({ length: 5000 }, (_, at) => `line ${at}`));
  const { first, newest, missing } = recent.parts;
  expect(first.length + newest.length).toBeLessThan(1000);
  expect(first.length + newest.length + missing).toBe(5002);
  expect(Buffer.from((newest.at(-1) as Frame).bytes).toString()).toBe('line 4999');
});

test('bounds the bytes that it keeps', () => {
  const recent = new RecentFrames();
  const append = recent.tap(() => 1);
  const bytes = new Uint8Array(1024 * 1024);
  for (let at = 0; at < 40; at++) append('protocol', 'to-client', 0, 0, bytes, 0, bytes.length);
  const { first, newest } = recent.parts;
  expect(first.length + newest.length).toBeLessThanOrEqual(9);
});
