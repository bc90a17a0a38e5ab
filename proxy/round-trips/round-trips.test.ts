import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setMembers } from '@/lib/json/members';
import { JsonSource } from '@/lib/json/source';
import { ProblemFinder } from '@/lib/problems/problem-finder';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { CallIndex } from '@/lib/replay/server/call-index';
import type { Replay } from '@/lib/replay/server/replay';
import { systemClock } from '@/lib/wire/clock';
import type { Frame } from '@/lib/wire/frame';
import { testAgainst, testChanged } from '@/proxy/commands/headless/test-against';
import { type ReplayServer, serveHttp } from '@/proxy/replay/http-server';
import { stdioTransport } from '@/proxy/replay/test-stdio-transport';
import { EXIT } from '../cli/exit-code';
import { messagesOf, throughArchive } from './test-archive';
import { expectedOf } from './test-expected';
import { derivedOf, queriedOf } from './test-queried';
import { type Recorded, record } from './test-record';
import { CLIENTS, perform } from './test-sdk-clients';
import { SERVERS, type Served, serve, TRIPS } from './test-trips';

const SAME =
  /^(?:.* were not compared: .*\n|\S+ .* skipped: .*\n)*No difference: the server offers the same, (?:no calls to compare|\d+ calls? got the same response(?:, \d+ calls? skipped)?|\d+ calls? skipped)\.$/;

/**
 * Trips that are also queried, replayed to other clients and verified with a change: each transport and era, and each
 * kind of message. With TEST_LONG all are.
 */
const WHOLE = process.env.TEST_LONG
  ? TRIPS.map(({ name }) => name)
  : ['demo', 'demo, oldest', 'everything', 'ask', 'shop', 'forms', 'everything-sse over HTTP', 'modern-dual over HTTP'];

/**
 * Notes a replay may print: for a call that was cancelled in the recording, and for auto mode's probe of a legacy one.
 */
const EXPECTED_NOTES = /the client cancelled this call in the recording|^Method not found: server\/discover$/;

describe.skipIf(!existsSync(join(SERVERS, 'node_modules')))(
  'round trips of real servers (needs `npm ci` in e2e/servers)',
  () => {
    describe.each(TRIPS.map((trip) => [trip.name, trip] as const))('%s', (_name, trip) => {
      // The real path, because servers report it.
      const folder = mkdtempSync(join(realpathSync(tmpdir()), 'mcp-inspect-test-'));
      let [served, recorded, replay, http]: [Served?, Recorded?, Replay?, ReplayServer?] = [];
      const notes: string[] = [];
      const printNote = (line: string): void => void notes.push(line);

      beforeAll(async () => {
        served = await serve(trip, folder);
        recorded = await record(folder, served.target, trip);
        const { traffic } = recorded.opened;
        replay = { traffic, calls: new CallIndex(traffic), pace: 0, onMiss: 'error' };
        http = await serveHttp(replay, { clock: systemClock, printNote }, 0);
      }, 60_000);
      afterAll(async () => {
        await http?.close();
        await served?.close();
        rmSync(folder, { recursive: true });
      });

      test('its recording opens with the same frames and state', () => {
        expect(recorded!.reopened).toEqual(recorded!.live);
      });

      test('its tool lists contain no secrets', () => {
        const lists = recorded!.frames.filter(isToolList);
        expect(lists.length).toBeGreaterThan(0);
        for (const frame of lists) expect(new CaptureRedactor([]).apply(frame)).toBe(frame);
      });

      test('its session breaks no rule, apart from those it breaks on purpose', () => {
        const finder = new ProblemFinder();
        for (const frame of recorded!.frames) finder.addFrame(frame);
        expect([...new Set(finder.problems.map(({ rule }) => rule))]).toEqual(trip.breaks ?? []);
        expect(finder.failed.size).toBe(0);
      });

      if (trip.path !== undefined)
        test('its HTTP Archive opens with the same messages', async () => {
          const { frames } = recorded!;
          expect(messagesOf(await throughArchive(frames))).toEqual(messagesOf(frames));
        });

      test('verifying it against its own replay finds no difference, to the letter', async () => {
        const { stdout, code } = await testAgainst(
          { transport: 'auto', url: http!.url },
          recorded!.file,
          '--compare',
          'strict',
        );
        expect([code, stdout[0]]).toEqual([EXIT.fine, expect.stringMatching(SAME)]);
      });

      test('verifying it against the same server finds no difference', async () => {
        const { stdout, code } = await testAgainst(served!.target, recorded!.file);
        expect([code, stdout[0]]).toEqual([EXIT.fine, expect.stringMatching(SAME)]);
      }, 30_000);

      if (!WHOLE.includes(trip.name)) return;

      test('SQL over it agrees with its log and the rules', async () => {
        expect(await queriedOf(recorded!.file)).toEqual(derivedOf(recorded!.frames));
      });

      test.each(Object.entries(CLIENTS))(
        'a replay gives %s the recorded results',
        async (name, make) => {
          const { traffic } = recorded!.opened;
          const expected = expectedOf(traffic);
          const unsupported = traffic.era === 'modern' && name !== 'SDK 2, auto';
          for (const open of [
            () => stdioTransport(replay!, systemClock, printNote),
            (sdk: any) => sdk.http(http!.url),
          ]) {
            const asked: string[] = [];
            const sdk = await make(asked);
            notes.length = 0;
            const opening = sdk.client.connect(open(sdk));
            if (unsupported) {
              await expect(opening).rejects.toThrow(/version/);
              continue;
            }
            await opening;
            const { results, notices } = await perform(sdk, expected);
            for (const [at, call] of expected.calls.entries()) {
              if (call.error) {
                // SDK 2 has one code for everything that does not exist.
                expect([call.error.code, -32602]).toContain((results[at] as { code: unknown }).code);
                expect((results[at] as Error).message).toContain(call.error.message);
              } else if (call.cancelled) expect(results[at]).toHaveProperty('message');
              else expect(results[at]).toEqual(call.result);
            }
            await expect.poll(() => notices).toEqual(expected.notices);
            await expect.poll(() => asked.toSorted()).toEqual(expected.asked);
            expect(notes.filter((line) => !EXPECTED_NOTES.test(line))).toEqual([]);
            await sdk.client.close();
          }
        },
        30_000,
      );

      test('verifying it against a server with one changed tool names that tool', async () => {
        const [first] = recorded!.live.state.tools.items;
        // A replay starts much faster than most servers.
        const target = process.env.TEST_LONG ? served!.target : ({ transport: 'auto', url: http!.url } as const);
        const { stdout, code } = await testChanged(target, changedTool(first!.name), recorded!.file);
        expect(stdout[0]).toContain(
          `tool ${first!.name}\n  breaking  The parameter \`one_more\` is new and required: string.`,
        );
        expect(stdout[0]).toContain('Different: 1 change in what the server offers (1 breaking),');
        expect(code).toBe(EXIT.serverError);
      }, 30_000);
    });
  },
);

/** True for a `tools/list` result. */
function isToolList({ channel, direction, bytes }: Frame): boolean {
  if (channel !== 'protocol' || direction !== 'to-client') return false;
  const text = new TextDecoder().decode(bytes);
  return text.startsWith('{') && Array.isArray(JSON.parse(text).result?.tools);
}

/**
 * Returns a function that adds a required parameter to this tool in a server's list, and keeps all other text as it is.
 */
const changedTool =
  (name: string) =>
  (text: string): string => {
    const tools = JsonSource.parse(text)?.member('result')?.member('tools');
    const list = tools?.kind === 'array' ? tools.children(Number.POSITIVE_INFINITY).children : [];
    const tool = list.find(({ source }) => source.member('name')?.value === name)?.source;
    const schema = tool?.member('inputSchema');
    if (!tool || !schema) return text;
    const added = setMembers(schema.text, [
      ['properties', setMembers(schema.member('properties')?.text ?? '{}', [['one_more', '{"type":"string"}']])],
      [
        'required',
        (schema.member('required')?.text ?? '[]').replace(
          /\[(?=(.?))/,
          (_, next) => `["one_more"${next === ']' ? '' : ','}`,
        ),
      ],
    ]);
    return text.replace(tool.text, () => setMembers(tool.text, [['inputSchema', added]]));
  };
