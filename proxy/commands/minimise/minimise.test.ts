import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { EXIT, type ExitCode } from '@/proxy/cli/exit-code';
import { requestOf } from '../test-command-line';
import { verifyAgainst } from '../test-verify';
import { minimise } from './minimise';
import { FAULTY, type FaultySession, recordSession, SESSIONS } from './test-sessions';

const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-minimise-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Set to repeat the measurement: it takes some minutes. */
const LONG = process.env.LONG === '1';
/** Messages of a session, besides the handshake. */
const MESSAGES = LONG ? 900 : 120;
/** Milliseconds for one session. */
const MOST_MS = 60_000;

interface Ran {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly notes: readonly string[];
  readonly status: readonly string[];
}

/** Runs the subcommand. `interruptAt`: Ctrl-C once the status begins with this. */
async function run(argv: readonly string[], server: readonly string[], interruptAt?: RegExp): Promise<Ran> {
  const [stdout, notes, status] = [[], [], []] as string[][];
  let interrupt = (): boolean => false;
  const code = await minimise(
    {
      ...{ request: requestOf('minimise', ...argv, '--', process.execPath, FAULTY, ...server), version: '1', home: '' },
      printText: (text) => stdout!.push(text),
      printLines: () => {},
      printNote: (text) => notes!.push(text),
      status: {
        show: (text) => {
          status!.push(text);
          if (interruptAt?.test(text)) interrupt();
        },
        end: () => {},
      },
    },
    (_, onInterrupt) => {
      interrupt = onInterrupt ?? interrupt;
    },
  );
  return { code, stdout: stdout!.join('\n'), notes: notes!, status: status! };
}

let files = 0;

async function recorded(session: FaultySession, length = MESSAGES): Promise<{ file: string; out: string }> {
  const name = join(folder, `session-${++files}`);
  await recordSession(`${name}.mcpr.jsonl`, session, length);
  return { file: `${name}.mcpr.jsonl`, out: `${name}.min` };
}

const UUID = /[\da-f]{8}-[\da-f-]{27}/g;

describe('finds the fewest messages and the smallest arguments', () => {
  test.each(SESSIONS)('$name', { timeout: 4 * MOST_MS }, async (session) => {
    const { file, out } = await recorded(session);
    const begun = performance.now();
    const { stdout, notes, code } = await run([file, '--out', out, ...(session.options ?? [])], [session.fault]);
    const ms = performance.now() - begun;
    if (LONG)
      console.log(
        `${session.name}: ${(ms / 1000).toFixed(1)} s, load ${loadavg()[0]!.toFixed(1)}, ${stdout.split('\n')[0]}`,
      );
    const [first, ...cases] = stdout.split('\n');
    expect(
      cases.map((one) => one.replace(/^\d+\. /, '').replace(UUID, 'ID')),
      notes.join('\n'),
    ).toEqual(session.left);
    expect(first).toMatch(/^\d+ of \d+ messages? still fails? \(\d+ starts of the server\)\.$/);
    expect(code).toBe(EXIT.fine);
    expect(ms).toBeLessThan(MOST_MS);
  });
});
