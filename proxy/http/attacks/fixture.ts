import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WebSocket } from 'ws';
import { FakeClock } from '@/lib/wire/test-clock';
import { PendingSignIns } from '../pending-sign-ins';
import { type PageServerOptions, type RunningServer, startServer } from '../server';
import { callbackRoute } from '../sign-in-callback';
import { exchange, type RawAnswer, requestText } from './raw-client';

/** A server under attack, and its effects. */
export interface Fixture {
  readonly server: RunningServer;
  readonly port: number;
  readonly token: string;
  readonly clock: FakeClock;
  /** Lines printed in the terminal. */
  readonly notes: readonly string[];
  /** WebSockets that reached the hub. */
  readonly sockets: readonly WebSocket[];
  /** Calls that reached the API. */
  readonly calls: readonly string[];
  /** Sends a valid request of our own page, with `headers` replacing its own. */
  ask(method: string, target: string, headers?: Readonly<Record<string, string>>, body?: string): Promise<RawAnswer>;
  end(): Promise<void>;
}

export const PAGE =
  '<!doctype html><html lang="en"><script>self.x = 1</script><script src="/_next/static/app.js"></script>';

/** Writes a minimal built UI, with links that lead out of it. */
export function makeUi(): string {
  const root = mkdtempSync(join(tmpdir(), 'mcp-inspect-ui-'));
  mkdirSync(join(root, '_next/static'), { recursive: true });
  mkdirSync(join(root, 'monaco'));
  writeFileSync(join(root, 'index.html'), PAGE);
  writeFileSync(join(root, '_next/static/app.js'), 'self.app = "/_next/";');
  writeFileSync(join(root, '_next/static/[slug] é.js'), 'self.slug = 1;');
  writeFileSync(join(root, 'monaco/editor.js'), 'self.editor = 1;');
  symlinkSync('index.html', join(root, 'inside.html'));
  symlinkSync('/etc/passwd', join(root, 'passwd.txt'));
  symlinkSync('/etc', join(root, 'etc'));
  symlinkSync('nowhere', join(root, 'broken.txt'));
  return root;
}

/** Starts a server on any port and logs in like the page. */
export async function startFixture(options: Partial<PageServerOptions> = {}): Promise<Fixture> {
  const uiRoot = makeUi();
  const clock = new FakeClock();
  const notes: string[] = [];
  const sockets: WebSocket[] = [];
  const calls: string[] = [];
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    portFixed: true,
    hostNames: [],
    uiRoot,
    api: {
      connections: () => {
        calls.push('connections');
        return [];
      },
      servers: async () => {
        calls.push('servers');
        return { servers: [], skipped: [], hosts: {} };
      },
      environment: () => {
        calls.push('environment');
        return { cwd: '/', platform: 'test', allowlist: [], shell: [], redirectUri: '' };
      },
    },
    routes: [callbackRoute(new PendingSignIns())],
    clock,
    onSocket: (socket) => sockets.push(socket),
    terminal: (note) => notes.push(note),
    ...options,
  }).catch((error) => {
    rmSync(uiRoot, { recursive: true });
    throw error;
  });
  const { port } = server;
  const ask: Fixture['ask'] = (method, target, headers = {}, body = '') => {
    const all = { host: `127.0.0.1:${port}`, ...headers };
    return exchange(port, requestText(method, target, Object.entries(all), body));
  };
  const code = server.newLaunchLink().split('#launch=')[1]!;
  const launched = await ask('POST', '/launch', { 'content-type': 'application/json' }, JSON.stringify({ code }));
  const { token } = JSON.parse(launched.body) as { token: string };
  return {
    server,
    port,
    token,
    clock,
    notes,
    sockets,
    calls,
    ask,
    async end() {
      await server.close();
      rmSync(uiRoot, { recursive: true });
    },
  };
}
