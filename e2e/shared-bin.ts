import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { WebSocket } from 'ws';
import type { CommandBody } from '../lib/client/client';
import { type ConnectionsReply, type LaunchReply, TOKEN_HEADER } from '../lib/wire/api';
import type { Event, Target } from '../lib/wire/command';
import type { ProtocolChoice } from '../lib/wire/lifecycle';
import { test as base, expect, findLink, spawnBinIn, whenEnded } from './bin';
import { prepareFirefox } from './firefox/context';

const VIEWPORT = { width: 1440, height: 900 };

/** A running bin without a server of its own. The tests of a worker use it one after the other. */
interface SharedBin {
  /** The page's address, without a query. */
  readonly url: string;
  readonly token: string;
  /** Sends a command and resolves with the id of the connection that it is about. */
  run(command: CommandBody): Promise<string>;
  /** Ends all servers and removes what a test left: connections, kept servers, settings and saved calls. */
  clean(): Promise<void>;
}

interface WorkerFixtures {
  sharedBin: SharedBin;
  /**
   * A page that is loaded again for each test, so that the browser compiles its scripts once, and what Firefox reports
   * in its console.
   */
  sharedPage: { readonly page: Page; readonly reports: readonly string[] };
}

/**
 * Connects the shared bin to a server and shows that connection in the shared page. `words` as on the command line: a
 * URL, or `--` and a command, after `--protocol VERSION` or nothing. Without words it shows the start page. Only the
 * first call of a test loads the page: to show another connection in it takes a tenth of the time. What a user types
 * for a server is kept by its name, so a server with a `name` of its own has none of it.
 */
export type Visit = (words: readonly string[], name?: string) => Promise<{ page: Page }>;

interface Fixtures {
  visit: Visit;
}

/**
 * Tests that share a bin and a page. One that needs options, output or files of its own bin uses `open` of ./bin. So
 * does one that changes what a page can't change back, such as its clock.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  sharedBin: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
    async ({}, use) => {
      const home = mkdtempSync(join(tmpdir(), 'mcp-inspect-e2e-home-'));
      const { child, output } = spawnBinIn(home, ['--no-open', '--port', '0']);
      const ended = whenEnded(child);
      const { origin, pathname, hash } = new URL(await findLink(child, output));
      const reply = await fetch(`${origin}/launch`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify({ code: hash.replace('#launch=', '') }),
      });
      const { token } = (await reply.json()) as LaunchReply;
      const commands = await openCommands(origin, token);
      await use({
        url: `${origin}${pathname}`,
        token,
        run: commands.run,
        clean: async () => {
          const listed = await fetch(`${origin}/api/connections`, { headers: { [TOKEN_HEADER]: token } });
          const connections = ((await listed.json()) as ConnectionsReply).filter(({ via }) => via !== 'direct');
          await Promise.all(
            connections.map(async ({ id, recording }) => {
              if (!recording) await commands.run({ type: 'close', connection: id });
              await commands.run({ type: 'forget', connection: id });
            }),
          );
          // The folder of recordings stays, because the bin looks for taps in it.
          const recordings = join(home, 'recordings');
          for (const entry of [...filesIn(home), ...filesIn(recordings)]) {
            if (entry !== recordings) rmSync(entry, { recursive: true, force: true });
          }
        },
      });
      commands.stop();
      child.kill('SIGTERM');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],

  sharedPage: [
    async ({ browser, browserName, sharedBin }, use) => {
      // Nothing that tests assert depends on motion, which costs as much CPU time as they do.
      const context = await browser.newContext({ viewport: VIEWPORT, reducedMotion: 'reduce' });
      const reports = browserName === 'firefox' ? await prepareFirefox(context) : [];
      const page = await context.newPage();
      await reset(page, sharedBin);
      await use({ page, reports });
      await context.close();
    },
    { scope: 'worker' },
  ],

  visit: async ({ sharedBin, sharedPage: { page, reports } }, use) => {
    let isLoaded = false;
    await use(async (words, name) => {
      const asked = readWords(words, name);
      const query = asked ? `?connection=${await sharedBin.run({ type: 'connect', ...asked })}` : '';
      if (isLoaded && asked) await goWithin(page, query);
      else await page.goto(`${sharedBin.url}${query}`);
      isLoaded = true;
      return { page };
    });
    await reset(page, sharedBin);
    await sharedBin.clean();
    expect(reports, 'reports in the console').toEqual([]);
  },
});

/** Goes to another connection in the loaded page, as its links do, and waits until it is shown. */
async function goWithin(page: Page, query: string): Promise<void> {
  // A page that has not heard of the connection yet goes on showing the one before, and its log.
  const before = await page.evaluateHandle(() => document.querySelector('[aria-label="Message log"]'));
  await page.evaluate((search) => {
    history.pushState(null, '', search);
    dispatchEvent(new PopStateEvent('popstate'));
  }, query);
  await page.waitForFunction((log) => !log?.isConnected, before);
}

/** Removes what a test left in the page. A small document of the same origin keeps the compiled scripts. */
async function reset(page: Page, { url, token }: SharedBin): Promise<void> {
  for (const other of page.context().pages()) if (other !== page) await other.close();
  // To grant one permission is to deny all others.
  await page.context().clearPermissions();
  await page.goto(`${url}host.json`);
  await page.evaluate(async (kept) => {
    localStorage.clear();
    sessionStorage.clear();
    sessionStorage.setItem('mcp-inspect.token', kept);
    for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name!);
  }, token);
  await page.setViewportSize(VIEWPORT);
  await page.emulateMedia({ colorScheme: null });
}

/** Reads the words of a command line that name a server. Returns undefined if there are none. */
function readWords(
  words: readonly string[],
  name: string | undefined,
): Pick<Extract<CommandBody, { type: 'connect' }>, 'target' | 'protocol'> | undefined {
  if (words.length === 0) return undefined;
  const [protocol, rest] =
    words[0] === '--protocol' ? [words[1] as ProtocolChoice, words.slice(2)] : ['auto' as const, words];
  const [first = '', command = '', ...args] = rest;
  const target: Target = first === '--' ? { transport: 'stdio', command, args } : { transport: 'auto', url: first };
  return { target: name === undefined ? target : { ...target, name }, protocol };
}

function filesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/** Opens a socket that sends commands as the page does. */
async function openCommands(origin: string, token: string) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, ['mcp-inspect.1', `bearer.${token}`], { origin });
  const waiting = new Map<string, (event: Event) => void>();
  socket.on('message', (data, isBinary) => {
    const event = isBinary ? undefined : (JSON.parse(data.toString()) as Event);
    if (event && 'ref' in event && event.ref !== undefined) waiting.get(event.ref)?.(event);
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  let refs = 0;
  return {
    stop: () => socket.close(),
    run: (command: CommandBody) =>
      new Promise<string>((resolve, reject) => {
        const ref = `test-${++refs}`;
        waiting.set(ref, (event) => {
          waiting.delete(ref);
          if (event.type === 'done') resolve(event.connection);
          else reject(new Error(JSON.stringify(event)));
        });
        socket.send(JSON.stringify({ ...command, ref }));
      }),
  };
}
