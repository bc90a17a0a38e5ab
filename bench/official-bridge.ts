import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchLink } from './inspected';
import { startOfficial } from './official';

/** The official inspector's process between a server and a page, which is a client of its own here. */
export interface OfficialBridge {
  readonly process: ChildProcess;
  /** Sends a request and resolves once `count` events have come, its answer included. */
  exchange(request: string, count: number): Promise<void>;
  stop(): Promise<void>;
}

const EVENT_START = Buffer.from('event: message');

/**
 * Starts the official inspector and a server, with the requests that its page makes: commands as POST, messages as an
 * event stream. The events are counted and not parsed, like our own batches; one whose start is split between two
 * chunks is missed.
 */
export async function officialBridge(
  [command, ...args]: readonly string[],
  initialize: string,
): Promise<OfficialBridge> {
  const home = mkdtempSync(join(tmpdir(), 'bench-official-'));
  const child = startOfficial(home);
  const link = new URL(await launchLink(child));
  const token = link.searchParams.get('MCP_INSPECTOR_API_TOKEN');
  const headers = {
    'content-type': 'application/json',
    origin: link.origin,
    'x-mcp-remote-auth': `Bearer ${token}`,
  };
  const post = (path: string, body: object) =>
    fetch(`${link.origin}/api/mcp/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const connected = await post('connect', { config: { type: 'stdio', command, args } });
  if (!connected.ok) throw new Error(`The official inspector refused to connect: ${await connected.text()}`);
  const { sessionId } = (await connected.json()) as { sessionId: string };
  const stop = new AbortController();
  const events = await fetch(`${link.origin}/api/mcp/events?sessionId=${sessionId}`, { headers, signal: stop.signal });
  let seen = 0;
  let onSeen = () => {};
  const reading = (async () => {
    for await (const chunk of events.body!) {
      const bytes = Buffer.from(chunk);
      for (let at = bytes.indexOf(EVENT_START); at !== -1; at = bytes.indexOf(EVENT_START, at + 1)) seen++;
      onSeen();
    }
  })().catch(() => {});
  const exchange = async (request: string, count: number): Promise<void> => {
    seen = 0;
    const all = new Promise<void>((resolve) => {
      onSeen = () => {
        if (seen >= count) resolve();
      };
    });
    const answered = post('send', { sessionId, message: JSON.parse(request) as object }).then((reply) => reply.text());
    await all;
    await answered;
  };
  await exchange(initialize, 1);
  return {
    process: child,
    exchange,
    async stop() {
      await post('disconnect', { sessionId });
      stop.abort();
      await reading;
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 5000);
      await once(child, 'exit');
      clearTimeout(late);
      rmSync(home, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
