import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, SSEClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CallIndex } from '@/lib/replay/server/call-index';
import { systemClock } from '@/lib/wire/clock';
import { type ReplayServer, serveHttp } from '@/proxy/commands/replay/http-server';
import { type TestHttpTaps, testHttpTaps } from '../tap/http/test-http-tap';
import { type Expected, expectedOf } from './test-expected';
import { record } from './test-record';
import { CLIENTS, perform } from './test-sdk-clients';
import { SERVERS, type Served, serve, TRIPS } from './test-trips';

/** Servers with every kind of message, in both eras. */
const REPLAYED = ['everything', 'demo', 'demo, legacy', 'modern-dual', 'ask', 'shop'];
const LIVE = ['everything over HTTP', 'everything-sse over HTTP', 'modern-dual over HTTP', 'modern-reject over HTTP'];

const tripsOf = (names: readonly string[]) =>
  TRIPS.filter(({ name }) => names.includes(name)).map((trip) => [trip.name, trip] as const);
const newFolder = (): string => mkdtempSync(join(realpathSync(tmpdir()), 'mcp-inspect-test-'));

describe.skipIf(!existsSync(join(SERVERS, 'node_modules')))(
  'through an HTTP tap (needs `npm ci` in e2e/servers)',
  { timeout: 60_000 },
  () => {
    describe.each(tripsOf(REPLAYED))('a replay of %s', (_name, trip) => {
      let [folder, taps, http, expected]: [string?, TestHttpTaps?, ReplayServer?, Expected?] = [];
      let [url, era]: [string?, string?] = [];

      beforeAll(async () => {
        folder = newFolder();
        taps = await testHttpTaps();
        const served = await serve(trip, folder);
        const { traffic } = (await record(folder, served.target, trip)).opened;
        await served.close();
        expected = expectedOf(traffic);
        era = traffic.era;
        const replay = { traffic, calls: new CallIndex(traffic), pace: 0, onMiss: 'error' } as const;
        http = await serveHttp(replay, { clock: systemClock, printNote: () => {} }, 0);
        ({ url } = await taps.start(http.url));
      }, 60_000);
      afterAll(async () => {
        await http?.close();
        await taps?.remove();
        rmSync(folder!, { recursive: true });
      });

      test.each(Object.entries(CLIENTS))('gives %s the recorded results', async (name, make) => {
        const asked: string[] = [];
        const sdk = await make(asked);
        const opening = sdk.client.connect(sdk.http(url!));
        if (era === 'modern' && name !== 'SDK 2, auto') return void (await expect(opening).rejects.toThrow(/version/));
        await opening;
        const { results, notices } = await perform(sdk, expected!);
        for (const [at, call] of expected!.calls.entries()) {
          if (call.error) expect((results[at] as Error).message).toContain(call.error.message);
          else if (call.cancelled) expect(results[at]).toHaveProperty('message');
          else expect(results[at]).toEqual(call.result);
        }
        await expect.poll(() => notices).toEqual(expected!.notices);
        await expect.poll(() => asked.toSorted()).toEqual(expected!.asked);
        await sdk.client.close();
      });
    });

    describe('a live server', () => {
      let [folder, taps, served]: [string?, TestHttpTaps?, Served?] = [];
      beforeEach(async () => {
        folder = newFolder();
        taps = await testHttpTaps();
      });
      afterEach(async () => {
        await taps?.remove();
        await served?.close();
        rmSync(folder!, { recursive: true });
      });

      test.each(tripsOf(LIVE))('%s: the tap records what our own client records', async (_name, trip) => {
        served = await serve(trip, folder!);
        if (served.target.transport === 'stdio') throw new Error('This trip is over HTTP.');
        const tap = await taps!.start(served.target.url);
        const { frames } = await record(folder!, { ...served.target, url: tap.url }, trip);
        await tap.close();
        const seen = taps!.names().flatMap((file) => taps!.frames(file));
        const messages = (all: readonly { channel: string; direction: string; bytes: Uint8Array }[]) =>
          all
            .filter(({ channel }) => channel === 'protocol')
            .map(({ direction, bytes }) => `${direction} ${Buffer.from(bytes).toString()}`);
        expect(messages(seen).toSorted()).toEqual(messages(frames).toSorted());
        expect(messages(seen).length).toBeGreaterThan(5);
        expect(taps!.names()).toHaveLength(1);
      });

      test('HTTP+SSE works with the client of SDK 2', async () => {
        const trip = TRIPS.find(({ name }) => name === 'everything-sse over HTTP')!;
        served = await serve(trip, folder!);
        if (served.target.transport === 'stdio') throw new Error('This trip is over HTTP.');
        const tap = await taps!.start(served.target.url);
        const results: unknown[] = [];
        for (const url of [served.target.url, tap.url]) {
          const client = new Client({ name: 'host', version: '1' });
          await client.connect(new SSEClientTransport(new URL(url)));
          results.push(await client.listTools());
          await client.close();
        }
        expect(results[1]).toEqual(results[0]);
      });
    });
  },
);
