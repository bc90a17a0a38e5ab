import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CallIndex } from '@/lib/replay/server/call-index';
import type { Replay } from '@/lib/replay/server/replay';
import { systemClock } from '@/lib/wire/clock';
import { type ReplayServer, serveHttp } from '@/proxy/commands/replay/http-server';
import { stdioTransport } from '@/proxy/commands/replay/test-stdio-transport';
import { verifyAgainst, verifyChanged } from '@/proxy/commands/test-verify';
import { EXIT } from '../cli/exit-code';
import { messagesOf, throughArchive } from './test-archive';
import { changedTool } from './test-changed-tool';
import { expectedOf } from './test-expected';
import { type Recorded, record } from './test-record';
import { CLIENTS, perform } from './test-sdk-clients';
import { type Served, serve } from './test-serve';
import { SERVERS, TRIPS } from './test-trips';

const SAME =
  /^(?:No list of .*\n|\S+ .* skipped: .*\n)*No difference: the server offers the same, (?:no calls to compare|\d+ calls? the same(?:, \d+ skipped)?)\.$/;

/** A call that was given up in the recording, or the probe of auto mode on a legacy server. */
const TO_BE_TOLD = /it was cancelled when this was recorded|^Method not found$/;

describe.skipIf(!existsSync(join(SERVERS, 'node_modules')))('real servers, if `npm ci` was run in e2e/servers', () => {
  describe.each(TRIPS.map((trip) => [trip.name, trip] as const))('%s', (_name, trip) => {
    // Servers report this name, too.
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

    test('opens as captured', () => {
      expect(recorded!.reopened).toEqual(recorded!.live);
    });

    test.skipIf(trip.path === undefined)('its HTTP Archive opens with the same messages', async () => {
      const { frames } = recorded!;
      expect(messagesOf(await throughArchive(frames))).toEqual(messagesOf(frames));
    });

    test.each(Object.entries(CLIENTS))(
      'a replay gives %s what was recorded',
      async (name, make) => {
        const { traffic } = recorded!.opened;
        const expected = expectedOf(traffic);
        const other = traffic.era === 'modern' && name !== 'SDK 2, auto';
        for (const open of [() => stdioTransport(replay!, systemClock, printNote), (sdk: any) => sdk.http(http!.url)]) {
          const asked: string[] = [];
          const sdk = await make(asked);
          notes.length = 0;
          const opening = sdk.client.connect(open(sdk));
          if (other) {
            await expect(opening).rejects.toThrow(/version/);
            continue;
          }
          await opening;
          const { results, notices } = await perform(sdk, expected);
          for (const [at, call] of expected.calls.entries()) {
            if (call.error) {
              // SDK 2 uses one code for everything that does not exist.
              expect([call.error.code, -32602]).toContain((results[at] as { code: unknown }).code);
              expect((results[at] as Error).message).toContain(call.error.message);
            } else if (call.cancelled) expect(results[at]).toHaveProperty('message');
            else expect(results[at]).toEqual(call.result);
          }
          await expect.poll(() => notices).toEqual(expected.notices);
          await expect.poll(() => asked.toSorted()).toEqual(expected.asked);
          expect(notes.filter((line) => !TO_BE_TOLD.test(line))).toEqual([]);
          await sdk.client.close();
        }
      },
      30_000,
    );

    test('verifies exactly against its replay', async () => {
      const { stdout, code } = await verifyAgainst(
        { transport: 'auto', url: http!.url },
        recorded!.file,
        '--compare',
        'strict',
      );
      expect([code, stdout[0]]).toEqual([EXIT.fine, expect.stringMatching(SAME)]);
    });

    test('verifies against the same server', async () => {
      const { stdout, code } = await verifyAgainst(served!.target, recorded!.file);
      expect([code, stdout[0]]).toEqual([EXIT.fine, expect.stringMatching(SAME)]);
    }, 30_000);

    test('fails verification with one changed tool, and names it', async () => {
      const [first] = recorded!.live.state.tools.items;
      const { stdout, code } = await verifyChanged(served!.target, changedTool(first!.name), recorded!.file);
      expect(stdout[0]).toContain(
        `tool ${first!.name}\n  breaking  The parameter \`one_more\` is new and required: string.`,
      );
      expect(stdout[0]).toContain('Different: 1 change of the server, 1 breaking,');
      expect(code).toBe(EXIT.serverError);
    }, 30_000);
  });
});
