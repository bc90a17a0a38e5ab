import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CallIndex } from '@/lib/replay/server/call-index';
import { systemClock } from '@/lib/wire/clock';
import { type ReplayServer, serveHttp } from '@/proxy/replay/http-server';
import { type Expected, expectedOf } from '@/proxy/round-trips/test-expected';
import { record } from '@/proxy/round-trips/test-record';
import { CLIENTS, perform } from '@/proxy/round-trips/test-sdk-clients';
import { SERVERS, type Served, serve, TRIPS, type Trip } from '@/proxy/round-trips/test-trips';
import { type TestHttpTaps, testHttpTaps } from './test-http-tap';

/** Servers with every kind of message, in both eras. */
const REPLAYED = ['everything', 'demo', 'demo, legacy', 'modern-dual', 'ask', 'shop'];
const LIVE = ['everything over HTTP', 'everything-sse over HTTP', 'modern-dual over HTTP', 'modern-reject over HTTP'];

const tripsOf = (names: readonly string[]) =>
  TRIPS.filter(({ name }) => names.includes(name)).map((trip) => [trip.name, trip] as const);
const MODES: Readonly<Record<string, 'legacy' | 'auto'>> = { legacy: 'legacy', 'auto mode': 'auto' };
/** How long a rule delays a call, and how long a client waits for one that is dropped, in ms. */
const DELAY_MS = 300;
const SHORT_MS = 1500;
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
      let [folder, taps]: [string?, TestHttpTaps?] = [];
      const running = new Map<string, Promise<Served>>();
      const shared = newFolder();
      beforeEach(async () => {
        folder = newFolder();
        taps = await testHttpTaps();
      });
      afterEach(async () => {
        await taps?.remove();
        rmSync(folder!, { recursive: true });
      });
      afterAll(async () => {
        await Promise.all(Array.from(running.values(), async (served) => (await served).close()));
        rmSync(shared, { recursive: true });
      }, 30_000);

      /** Starts a server at the first call. Each connection is a session of its own. */
      const urlTarget = async (trip: Trip) => {
        const served = running.get(trip.name) ?? serve(trip, shared);
        running.set(trip.name, served);
        const { target } = await served;
        if (target.transport === 'stdio') throw new Error('This trip is over HTTP.');
        return target;
      };

      const rulesOf = (...rules: readonly object[]): string => {
        const file = join(folder!, 'rules.json');
        writeFileSync(file, JSON.stringify({ rules: rules.map((rule, at) => ({ name: `r${at}`, ...rule })) }));
        return file;
      };

      test.each(
        tripsOf(LIVE).flatMap(([name, trip]) => [
          [name, trip, false] as const,
          [`${name}, with rules that match nothing`, trip, true] as const,
        ]),
      )('%s: the tap records what our own client records', async (_name, trip, hasRules) => {
        const target = await urlTarget(trip);
        const rules = hasRules ? rulesOf({ when: 'method:nothing', action: { do: 'drop' } }) : undefined;
        const tap = await taps!.start(target.url, { intercept: rules === undefined ? [] : [rules] });
        const { frames } = await record(folder!, { ...target, url: tap.url }, trip);
        await tap.close();
        const seen = taps!.names().flatMap((file) => taps!.frames(file));
        const messages = (all: readonly { channel: string; direction: string; bytes: Uint8Array }[]) =>
          all
            .filter(({ channel }) => channel === 'protocol')
            .map(({ direction, bytes }) => `${direction} ${Buffer.from(bytes).toString()}`);
        const got = messages(frames);
        // Progress of a cancelled call may pass the tap, and find nobody who reads it.
        const isLate = (message: string) => message.includes('notifications/progress') && !got.includes(message);
        const passed = messages(seen).filter((message) => !isLate(message));
        expect(passed.toSorted()).toEqual(got.toSorted());
        expect(messages(seen).length).toBeGreaterThan(5);
        expect(taps!.names()).toHaveLength(1);
      });

      test.each(
        ['everything over HTTP', 'everything-sse over HTTP', 'modern-dual over HTTP'].flatMap((name) =>
          Object.keys(MODES).map((mode) => [name, mode] as const),
        ),
      )('%s: rules work with the client of SDK 2, %s', async (name, mode) => {
        const trip = TRIPS.find((one) => one.name === name)!;
        const target = await urlTarget(trip);
        const isModern = name.startsWith('modern');
        const tool = isModern ? 'add' : 'echo';
        const args: Record<string, unknown> = isModern ? { a: 1, b: 2 } : { message: 'hi' };
        const overlay = join(folder!, 'overlay.json');
        writeFileSync(overlay, JSON.stringify({ tools: { [tool]: { name: 'renamed', description: 'Other' } } }));
        const rules = rulesOf(
          {
            when: 'method:tools/call',
            direction: 'to-server',
            times: 1,
            action: { do: 'error', code: -32603, message: 'Down' },
          },
          { when: 'method:tools/call', direction: 'to-client', times: 1, action: { do: 'drop' } },
          { when: 'method:tools/call', direction: 'to-server', after: 1, action: { do: 'delay', ms: DELAY_MS } },
        );
        const tap = await taps!.start(target.url, { intercept: [rules, overlay] });
        const client = new Client({ name: 'host', version: '1' }, { versionNegotiation: { mode: MODES[mode]! } });
        const url = new URL(tap.url);
        await client.connect(
          name.includes('-sse') ? new SSEClientTransport(url) : new StreamableHTTPClientTransport(url),
        );
        const { tools } = await client.listTools();
        expect(tools.find((one) => one.name === 'renamed')?.description).toBe('Other');
        expect(tools.some((one) => one.name === tool)).toBe(false);
        const call = (timeout?: number) =>
          client.callTool({ name: 'renamed', arguments: args }, { ...(timeout && { timeout }) });
        await expect(call()).rejects.toMatchObject({ code: -32603, message: expect.stringContaining('Down') });
        await expect(call(SHORT_MS)).rejects.toThrow(/timed out/i);
        const begun = performance.now();
        expect(JSON.stringify(await call())).toContain(isModern ? '3' : 'Echo: hi');
        expect(performance.now() - begun).toBeGreaterThanOrEqual(DELAY_MS - 5);
        await client.close();
        await tap.close();
        const calls = taps!
          .names()
          .flatMap((file) => taps!.frames(file))
          .filter(({ bytes, channel }) => channel === 'protocol' && Buffer.from(bytes).includes(`"name":"${tool}"`));
        expect(calls.length).toBeGreaterThanOrEqual(2);
      });

      test('HTTP+SSE works with the client of SDK 2', async () => {
        const trip = TRIPS.find(({ name }) => name === 'everything-sse over HTTP')!;
        const target = await urlTarget(trip);
        const tap = await taps!.start(target.url);
        const results: unknown[] = [];
        for (const url of [target.url, tap.url]) {
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
