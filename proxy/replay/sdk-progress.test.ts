import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { CallIndex } from '@/lib/replay/server/call-index';
import { TrafficReader } from '@/lib/replay/traffic/traffic-reader';
import { answered, asked, framesOf, got } from '@/lib/store/test-frames';
import { FakeClock } from '@/lib/wire/test-clock';
import { REPLAY_APART_MS } from './stdio-server';
import { stdioTransport } from './test-stdio-transport';

const TIMES = 3;
const STEPS = 4;
/** The older client comes with the servers of the end-to-end tests. */
const OLDER = join(
  import.meta.dirname,
  '../../../e2e/servers/node_modules/@modelcontextprotocol/sdk/dist/esm/client/index.js',
);
const CLIENTS = [
  ['2.x', '@modelcontextprotocol/client'],
  ['1.x', pathToFileURL(OLDER).href],
] as const;

/** Traffic with one slow call that reported progress. */
function recorded() {
  const opened = {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 's', version: '1' },
  };
  const step = (progress: number) =>
    got({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'p', progress } });
  const frames = framesOf([
    asked(1, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    }),
    answered(1, opened),
    asked(2, 'tools/call', { name: 'slow', arguments: {}, _meta: { progressToken: 'p' } }),
    ...Array.from({ length: STEPS }, (_, at) => step(at + 1)),
    answered(2, { content: [] }),
  ]);
  const reader = new TrafficReader();
  for (const frame of frames) reader.addFrame(frame);
  return reader.traffic();
}

function transportTo(clock: FakeClock) {
  const traffic = recorded();
  const replay = { traffic, calls: new CallIndex(traffic), pace: 0, onMiss: 'error' } as const;
  return stdioTransport(replay, clock, () => {});
}

test.each(CLIENTS.filter(([version]) => version === '2.x' || existsSync(OLDER)))(
  'the official client %s has handled all progress of a call before the answer comes, each time',
  async (version, path) => {
    const { Client } = await import(/* @vite-ignore */ path);
    const client = new Client({ name: 'test', version: '1' });
    const clock = new FakeClock();
    await client.connect(transportTo(clock));
    for (let time = 0; time < TIMES; time++) {
      let steps = 0;
      let isAnswered = false;
      const told = { onprogress: () => void steps++ };
      const params = { name: 'slow', arguments: {} };
      const answer = (
        version === '1.x' ? client.callTool(params, undefined, told) : client.callTool(params, told)
      ).then(() => {
        isAnswered = true;
      });
      await expect.poll(() => clock.waiting).toBe(1);
      clock.advance(REPLAY_APART_MS - 1);
      await expect.poll(() => steps).toBe(STEPS);
      expect(isAnswered).toBe(false);
      clock.advance(1);
      await answer;
    }
    await client.close();
  },
);
