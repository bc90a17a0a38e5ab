import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { isRunning } from '@/proxy/connection/fixtures/hostile';
import type { CommandTarget, InspectOptions, Session, Target } from './api';
import { InspectError, inspect, matchers, replay } from './library';
import { inLibraryWords } from './option-words';

/** Most frames of a session that are kept: a few, or as many as the library keeps. */
const MOST_FRAMES = vi.hoisted(() => (process.env.TEST_LONG ? 200_000 : 5000));
vi.mock('./session-frames', async (original) => {
  const { SessionFrames } = await original<typeof import('./session-frames')>();
  class FewFrames extends SessionFrames {
    constructor() {
      super(MOST_FRAMES);
    }
  }
  return { SessionFrames: FewFrames };
});

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-library-'));
afterAll(() => rmSync(folder, { recursive: true }));

function node(script: string, ...args: string[]): CommandTarget {
  return { command: process.execPath, args: [join(ROOT, script), ...args] };
}

const DEMO = node('examples/demo-server/server.mjs');
const hostile = (...words: string[]) => node('proxy/connection/fixtures/hostile-server.mjs', ...words);
const ASKS = node('e2e/servers/ask-server.mjs');

/** Runs a test with a session, which is closed after it. */
async function withSession(
  target: Target,
  options: InspectOptions,
  run: (session: Session) => Promise<void>,
): Promise<void> {
  const session = await inspect(target, options);
  try {
    await run(session);
  } finally {
    await session.close();
  }
}

/** Returns the error that a promise rejects with. */
async function errorOf(promise: Promise<unknown>): Promise<InspectError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(InspectError);
  return error as InspectError;
}

/** Returns the pid of the server of a session. */
function pidOf(session: Session): number {
  const spawned = session.frames().find(({ json }) => (json as { event?: string } | undefined)?.event === 'spawned');
  return (spawned!.json as { pid: number }).pid;
}

describe('a session', () => {
  test('has the methods of MCP, in the era that the server speaks', () =>
    withSession(DEMO, {}, async (session) => {
      expect(session).toMatchObject({ protocolVersion: '2026-07-28', era: 'modern' });
      expect(session.serverInfo).toMatchObject({ name: 'skerry-light' });
      expect(session.capabilities).toHaveProperty('tools');
      const tools = await session.listTools();
      expect(tools.map(({ name }) => name)).toContain('echo');
      expect(await session.call('echo', { message: 'hi' })).toMatchObject({
        content: [{ type: 'text', text: '{"message":"hi"}' }],
      });
      expect(await session.call('row_in_gale')).toMatchObject({ isError: true });
      const resources = await session.listResources();
      // The demo server has two pages of resources.
      expect(resources.length).toBeGreaterThan(10);
      expect((await session.read('light://lamp')).contents[0]).toMatchObject({ uri: 'light://lamp' });
      expect(await session.listResourceTemplates()).toHaveLength(3);
      expect((await session.listPrompts()).map(({ name }) => name)).toContain('hail_ship');
      expect((await session.getPrompt('evening_report')).messages.length).toBeGreaterThan(0);
      const { values } = await session.complete({ prompt: 'choose_port' }, 'port', '');
      expect(Array.isArray(values)).toBe(true);
      expect(await session.request('server/discover')).toHaveProperty('supportedVersions');
      expect(await errorOf(session.call('echo', { message: 1n }))).toMatchObject({
        code: 'usage',
        message: expect.stringContaining('BigInt'),
      });
    }));

  test('speaks a pinned version', () =>
    withSession(DEMO, { protocol: '2025-06-18' }, async (session) => {
      expect(session).toMatchObject({ protocolVersion: '2025-06-18', era: 'legacy' });
      expect(await session.request('ping')).toEqual({});
    }));

  test('throws the error of a server with its code and data', () =>
    withSession(DEMO, {}, async (session) => {
      const error = await errorOf(session.call('no such tool'));
      expect(error).toMatchObject({ name: 'InspectError', code: -32602, message: 'Unknown tool: no such tool' });
    }));

  test('reports progress, and cancels a call that takes too long or is not wanted any more', () =>
    withSession(DEMO, {}, async (session) => {
      const steps: unknown[] = [];
      await session.call(
        'climb_tower',
        { steps: 3, delay_ms: 0 },
        { onProgress: ({ progress }) => steps.push(progress) },
      );
      expect(steps.length).toBeGreaterThan(1);
      const late = await errorOf(session.call('wait_for_ship', {}, { timeoutMs: 50 }));
      expect(late).toMatchObject({ code: 'timeout', message: expect.stringContaining('50 ms') });
      const stop = new AbortController();
      const waiting = errorOf(session.call('wait_for_ship', {}, { signal: stop.signal }));
      stop.abort('enough');
      expect(await waiting).toMatchObject({ code: 'aborted', cause: 'enough' });
      const before = session.frames().length;
      expect(await errorOf(session.listTools({ signal: stop.signal }))).toMatchObject({ code: 'aborted' });
      expect(session.frames()).toHaveLength(before);
      expect(await session.call('echo')).toHaveProperty('content');
    }));

  test('one signal can be for many requests and sessions, without a warning of Node', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on('warning', onWarning);
    const { signal } = new AbortController();
    await withSession(DEMO, { signal }, async (session) => {
      await Promise.all(Array.from({ length: 30 }, () => session.call('echo', {}, { signal })));
    });
    // Warnings come in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  test('waits for a frame, old or new', () =>
    withSession(DEMO, { protocol: '2025-11-25', logLevel: 'debug' }, async (session) => {
      const isLog = ({ json }: { json: unknown }) =>
        (json as { method?: string } | undefined)?.method === 'notifications/message';
      const coming = session.waitFor(isLog);
      await session.call('call_all_levels');
      const frame = await coming;
      expect(frame).toMatchObject({ direction: 'to-client', channel: 'protocol' });
      expect(await session.waitFor(isLog)).toEqual(frame);
      const never = await errorOf(session.waitFor(() => false, { timeoutMs: 20 }));
      expect(never.code).toBe('timeout');
      const wrong = errorOf(
        session.waitFor(() => {
          throw new Error('oops');
        }),
      );
      expect(await wrong).toMatchObject({ code: 'failed', message: expect.stringContaining('oops') });
      const closed = errorOf(session.waitFor(() => false));
      await session.close();
      expect(await closed).toMatchObject({ code: 'disconnected' });
    }));

  test('sends texts as they are', () =>
    withSession(DEMO, { protocol: '2025-11-25' }, async (session) => {
      expect(await session.raw('{"jsonrpc":"2.0","id":"a","method":"ping"}')).toEqual([
        '{"jsonrpc":"2.0","id":"a","result":{}}',
      ]);
      const [refusal] = await session.raw('{"jsonrpc":');
      expect(JSON.parse(refusal!)).toMatchObject({ error: { code: -32700 } });
      session.notify('notifications/roots/list_changed');
      expect(session.frames().at(-1)!.text).toContain('roots/list_changed');
    }));

  test('sends no handshake if there shall be none', () =>
    withSession(DEMO, { protocol: 'none' }, async (session) => {
      expect(session.protocolVersion).toBeUndefined();
      expect(session.frames().filter(({ channel }) => channel === 'protocol')).toEqual([]);
    }));

  test('answers what the server asks by functions, and declares what it answers', () =>
    withSession(
      ASKS,
      {
        sampling: ({ maxTokens }) => ({
          role: 'assistant',
          content: { type: 'text', text: `at most ${maxTokens}` },
          model: 'test',
        }),
        elicitation: async ({ message }) => {
          if (message === 'Please fill in secret.') throw new InspectError(-32000, 'No secrets');
          return { action: 'accept', content: { name: 'Ada' } };
        },
        roots: [{ uri: 'file:///tmp' }],
      },
      async (session) => {
        const told = async (tool: string) => (await session.call(tool)).content[0];
        expect(await told('sample')).toMatchObject({ text: expect.stringContaining('at most 100') });
        expect(await told('kinds')).toMatchObject({ text: expect.stringContaining('"name":"Ada"') });
        expect(await told('secret')).toMatchObject({ text: expect.stringContaining('"code":-32000') });
        expect(await told('roots')).toMatchObject({ text: expect.stringContaining('file:///tmp') });
        const initialize = session.frames().find(({ text }) => text.includes('"initialize"'));
        expect(initialize!.json).toMatchObject({
          params: { capabilities: { sampling: {}, elicitation: {}, roots: {} } },
        });
      },
    ));

  test.skipIf(!existsSync(join(ROOT, 'e2e/servers/node_modules')))(
    'answers questions in the modern era, too (needs `npm ci` in e2e/servers)',
    () =>
      withSession(
        node('e2e/servers/modern-server.mjs', 'dual'),
        {
          elicitation: () => ({ action: 'accept', content: { name: 'Ada' } }),
          sampling: () => ({ role: 'assistant', content: { type: 'text', text: 'said' }, model: 'test' }),
        },
        async (session) => {
          expect(session.era).toBe('modern');
          expect(JSON.stringify(await session.call('ask'))).toContain('Ada');
        },
      ),
  );

  test('names problems of the server', () =>
    withSession(DEMO, {}, async (session) => {
      await session.listTools();
      await session.call('read_instruments');
      expect((await session.problems()).filter(({ severity }) => severity === 'error')).toEqual([]);
      await session.call('read_old_barometer');
      const [problem] = (await session.problems()).filter(({ severity }) => severity === 'error');
      expect(problem).toMatchObject({
        rule: expect.any(String),
        frames: [expect.any(Number)],
        advice: expect.any(String),
      });
      const frame = session.frames().find(({ seq }) => seq === problem!.frames[0])!;
      expect(frame.text).toContain('structuredContent');
    }));

  test('records into a new file, or over an old one', async () => {
    const file = join(folder, 'session.mcpr.jsonl');
    await withSession(DEMO, {}, async (session) => {
      await session.record(file);
      await session.call('echo', { message: 'after' });
      expect(await errorOf(session.record(file))).toMatchObject({
        code: 'recording-failed',
        message: expect.stringContaining('already exists'),
      });
    });
    await withSession(DEMO, {}, (session) => session.record(file, { overwrite: true }));
    expect(readFileSync(file, 'utf8')).not.toContain('after');
  });

  test('records without secrets, and ends the recording', async () => {
    const file = join(folder, 'masked.mcpr.jsonl');
    const secret = 'sk-live-4f9a8b7c6d5e4f3a2b1c';
    await withSession({ ...DEMO, env: { API_KEY: secret } }, {}, async (session) => {
      await session.call('echo', { message: secret });
      await session.record(file);
      await session.call('echo', { message: 'after' });
    });
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain(secret);
    expect(text).toContain('after');
    expect(text.trimEnd().split('\n').at(-1)).toContain('"k":"end"');
  });

  test('records no answer to a question for a secret, before or after it was asked', async () => {
    const [early, late] = [join(folder, 'early.mcpr.jsonl'), join(folder, 'late.mcpr.jsonl')];
    const elicitation = () => ({ action: 'accept', content: { password: 'submarine', note: 'Wellington' } }) as const;
    await withSession(ASKS, { elicitation }, async (session) => {
      await session.record(early);
      await session.call('secret');
      await session.record(late);
    });
    for (const file of [early, late]) {
      const text = readFileSync(file, 'utf8');
      expect(text).toContain('Wellington');
      expect(text).not.toContain('submarine');
    }
  });

  test('ends the server when it is closed or its signal is aborted', async () => {
    const session = await inspect(DEMO);
    const pid = pidOf(session);
    expect(isRunning(pid)).toBe(true);
    const waiting = errorOf(session.call('wait_for_ship'));
    await session[Symbol.asyncDispose]();
    await session.close();
    expect(isRunning(pid)).toBe(false);
    expect(await waiting).toMatchObject({ code: 'disconnected' });
    expect(await errorOf(session.call('echo'))).toHaveProperty('code');
    expect(await errorOf(session.record(join(folder, 'late.mcpr.jsonl')))).toMatchObject({ code: 'disconnected' });
    const stop = new AbortController();
    const other = await inspect(DEMO, { signal: stop.signal });
    stop.abort();
    await vi.waitFor(() => expect(isRunning(pidOf(other))).toBe(false));
  });

  test('says why a server is gone, with its stderr', () =>
    withSession(DEMO, {}, async (session) => {
      await session.call('mutter', { lines: 1, words: 'the oil can is empty' });
      // The answer can come before the line: they are two pipes.
      await expect.poll(() => session.stderr).toContain('[keeper] the oil can is empty');
      const error = await errorOf(session.call('fall_into_sea'));
      expect(error).toMatchObject({ code: 'server-exited', message: expect.stringContaining('exited with code 1') });
    }));

  test('follows a call that runs as a task', () =>
    withSession(node('e2e/servers/tasks-server.mjs', 'legacy'), { capabilities: 'all' }, async (session) => {
      expect(await session.call('quick', {}, { task: true })).toMatchObject({ content: [{ text: 'done in 3 steps' }] });
      expect(await errorOf(session.call('fail', {}, { task: true }))).toMatchObject({ code: -32050 });
    }));

  test('keeps the first frames of a flood, and says so', () =>
    withSession(hostile('burst', String(MOST_FRAMES + 10_000)), { protocol: '2025-11-25' }, async (session) => {
      expect(await session.call('echo', { text: 'a' })).toHaveProperty('content');
      expect(session.frames()).toHaveLength(MOST_FRAMES);
      expect(await errorOf(session.problems())).toMatchObject({ code: 'too-many-frames' });
      expect(await errorOf(session.record(join(folder, 'flood.mcpr.jsonl')))).toMatchObject({
        code: 'too-many-frames',
      });
    }));

  test('refuses a result that is not an object', () =>
    withSession(hostile('any-result', '[1]'), { protocol: '2025-11-25' }, async (session) => {
      expect(await errorOf(session.call('echo'))).toMatchObject({ code: 'invalid-result', data: [1] });
      expect(await session.request('tools/call', { name: 'echo' })).toEqual([1]);
    }));
});

describe('connecting', () => {
  test('an aborted start leaves no server', async () => {
    const file = join(folder, 'started');
    const script = `require('fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`;
    const stop = new AbortController();
    const failed = errorOf(inspect({ command: process.execPath, args: ['-e', script] }, { signal: stop.signal }));
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toMatch(/\d/));
    stop.abort();
    expect(await failed).toMatchObject({ code: 'aborted' });
    expect(isRunning(Number(readFileSync(file, 'utf8')))).toBe(false);
  });

  test.each<[string, Target, InspectOptions, string, string]>([
    ['a missing program', { command: 'no-such-program' }, {}, 'command-not-found', 'Check that it is installed'],
    ['a server that crashes', hostile('fails-at-import'), {}, 'server-exited', 'ModuleNotFoundError'],
    ['no server', {} as Target, {}, 'usage', 'Name a server'],
    ['an empty command', { command: '' }, {}, 'usage', 'empty'],
    ['a scheme that is not HTTP', { url: 'ftp://localhost' }, {}, 'usage', 'http://'],
    ['a header with a line feed', { url: 'http://localhost', headers: { a: 'b\nc' } }, {}, 'usage', 'header'],
    ['a missing config', { server: 'a', config: '/no/such/config' }, {}, 'usage', '/no/such/config'],
    ['an unknown version', DEMO, { protocol: '1999-01-01' as 'auto' }, 'usage', '1999-01-01'],
    ['an unknown capability', DEMO, { capabilities: { singing: {} } }, 'usage', 'singing'],
    ['a timeout that is not a number', DEMO, { timeoutMs: Number.NaN }, 'usage', '`timeoutMs` must be a number'],
  ])('%s', async (_, target, options, code, text) => {
    expect(await errorOf(inspect(target, options))).toMatchObject({ code, message: expect.stringContaining(text) });
  });

  test('takes a server of a config, with its variables', async () => {
    const config = join(folder, 'mcp.json');
    const { command, args } = hostile('environ', 'REGION');
    writeFileSync(config, JSON.stringify({ mcpServers: { here: { command, args, env: { REGION: 'eu' } } } }));
    await withSession({ server: 'here', config }, {}, async (session) => {
      expect(JSON.stringify(await session.call('echo'))).toContain('eu');
    });
    const wrong = await errorOf(inspect({ server: 'hree', config }));
    expect(wrong).toMatchObject({ code: 'usage', message: expect.stringContaining('did you mean `here`') });
  });
});

test('replay serves a recording at a URL until it is closed', async () => {
  const file = join(folder, 'replayed.mcpr.jsonl');
  await withSession(DEMO, {}, async (session) => {
    await session.record(file);
    await session.call('echo', { message: 'recorded' });
  });
  const server = await replay(file);
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  expect(server.notes.join()).toContain('2 requests');
  await withSession({ url: server.url }, {}, async (session) => {
    expect(await session.call('echo', { message: 'recorded' })).toHaveProperty('content');
    expect(await errorOf(session.call('echo', { message: 'other' }))).toHaveProperty('code');
  });
  await server.close();
  await server[Symbol.asyncDispose]();
  expect(await errorOf(inspect({ url: server.url }))).toHaveProperty('code');
  expect(await errorOf(replay(join(folder, 'none.mcpr.jsonl')))).toMatchObject({ code: 'usage' });
  expect(await errorOf(replay(file, { port: 70_000 }))).toMatchObject({ code: 'usage' });
  expect(await errorOf(replay(file, { pace: 'slow' as 'real' }))).toMatchObject({ code: 'usage' });
});

describe('errors', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    [
      'inspect',
      () => inspect(DEMO, { timoutMs: 3 } as InspectOptions),
      'The option `timoutMs` is unknown: did you mean `timeoutMs`?',
    ],
    [
      'inspect',
      () => inspect({ ...DEMO, arg: [] } as CommandTarget),
      'The option `arg` is unknown: did you mean `args`?',
    ],
    ['inspect', () => inspect({ comand: 'node' } as unknown as Target), 'did you mean `command`?'],
    ['inspect', () => inspect('node server.js' as unknown as Target), 'The target must be an object'],
    [
      'replay',
      () => replay('a', { speed: 2 } as object),
      'The option `speed` is unknown: choose from port, onMiss, pace.',
    ],
    ['replay', () => replay('a', { onMiss: 'forward' as 'error' }), '`onMiss` can’t be `forward`'],
    ['inspect', () => inspect(DEMO, { timeoutMs: '5' as unknown as number }), '`timeoutMs` must be a number above 0'],
    ['inspect', () => inspect({ command: 5 as unknown as string }), 'The `command` of the target must be a string'],
    ['inspect', () => inspect({ command: 'node', args: 'x' as unknown as [] }), 'must be an array of strings'],
  ])('of %s name unknown options', async (name, call, sentence) => {
    const error = await errorOf(call());
    expect(error).toMatchObject({ code: 'usage', message: expect.stringContaining(sentence) });
    expect(error.stack?.split('\n')[1]).toBe(`    at ${name} (mcp-inspect)`);
    expect(error.stack?.split('\n')[2]).toContain('library.test.ts');
  });

  test('of a session name the method and the line that called it', async () => {
    await withSession(DEMO, {}, async (session) => {
      const error = await errorOf(session.request('no/such'));
      expect(error.stack?.split('\n').slice(1, 3)).toEqual([
        '    at session.request (mcp-inspect)',
        expect.stringContaining('library.test.ts'),
      ]);
    });
  });

  test.each([
    ['Trust it with --tls ca=FILE or NODE_EXTRA_CA_CERTS.', 'Trust it with `tls.ca` or NODE_EXTRA_CA_CERTS.'],
    ['Add `--capabilities all`, or `--header "A: b"`.', 'Add `capabilities`, or `headers` `"A: b"`.'],
    ['Unknown `--allow readonly`: choose from `all`.', 'Unknown `allow` `readonly`: choose from `all`.'],
    ['Use --allow all or `x`, or --allow then `x`.', 'Use `allow` or `x`, or `allow` then `x`.'],
    ['Connect without a handshake (`--protocol none`).', 'Connect without a handshake (`protocol`).'],
    ['Use `--transport sse`.', 'Use `transport`.'],
    ['Try `npx --yes x`.', 'Try `npx --yes x`.'],
    ['File not found. Check the path after `diff`.', 'File not found. Check the path.'],
    ['EISDIR. Name a file after `test`, then try `test`.', 'EISDIR. Name a file, then try `test`.'],
  ])('speak of options of the library: %s', (written, shown) => expect(inLibraryWords(written)).toBe(shown));
});

test('a matcher for vitest and jest lists the problems of a session', async () => {
  await withSession(hostile('output', '{"n":"1"}'), {}, async (session) => {
    expect((await matchers.toHaveNoProblems(session)).pass).toBe(true);
    await session.listTools();
    await session.call('echo', {});
    const { pass, message } = await matchers.toHaveNoProblems(session);
    expect(pass).toBe(false);
    expect(message()).toMatch(
      /Expected no problem of severity warning or graver, but there are \d:\n {2}error \S+: .+\(frame \d+\)/,
    );
    expect((await matchers.toHaveNoProblems({ problems: [] } as never)).pass).toBe(true);
    await expect(matchers.toHaveNoProblems(session, 'warnings' as 'warning')).rejects.toThrow('choose from error,');
    for (const wrong of [undefined, {}, Promise.resolve(session)])
      await expect(matchers.toHaveNoProblems(wrong as never)).rejects.toThrow('takes a session, or the report');
  });
});
