import { resolve } from 'node:path';
import { CallBook } from '@/lib/replay/call-book';
import type { OnMiss } from '@/lib/replay/miss';
import { type Pace, readPace } from '@/lib/replay/pace';
import type { Replay, ReplayHost } from '@/lib/replay/replay';
import { systemClock } from '@/lib/wire/clock';
import { EXIT, type ExitCode, usage } from '../../cli/exit-code';
import { endOnSignals } from '../../cli/signals';
import { StartError } from '../../http/start-error';
import { openFailure } from '../../recorder/open-failure';
import { readSession } from '../../recorder/read-session';
import type { LiveServer } from '../../replay/live-server';
import { replayNotes } from '../../replay/replay-notes';
import { terminalOutput } from '../../terminal/output';
import type { FileRequest } from '../file-request';
import type { FileRun, FileSubcommand } from '../file-subcommand';
import { sampleOf } from '../sample-of';

type Host = Omit<ReplayHost, 'side'>;

const ON_MISS: readonly OnMiss[] = ['error', 'forward', 'empty'];
const MOST_PORTS = 65_535;

/** Is an MCP server that answers from a recording. */
export const replay: FileSubcommand = async (run) => {
  const { request, note } = run;
  const onMiss = readOnMiss(request);
  const pace = readGivenPace(request);
  const port = readPort(request);
  if (request.command && onMiss !== 'forward') {
    throw usage(
      'What follows `--` is the server for `--on-miss forward`: add that, or leave `--` and what follows it out.',
    );
  }
  const live = onMiss === 'forward' ? await openLive(run) : undefined;
  const file = request.words[0]!;
  const opened = await readSession(resolve(file)).catch((error) => {
    throw usage(`\`${file}\` can’t be opened. ${openFailure(error, 'after `replay`')}`);
  });
  for (const sentence of replayNotes(opened)) note(sentence);
  const { session } = opened;
  live?.speakAs(session);
  const played: Replay = { session, book: new CallBook(session), pace, onMiss };
  const host: Host = { clock: systemClock, note, sampleOf, ...(live && { forward: live.forward }) };
  try {
    if (port === undefined) return await onStdio(played, host, live);
    return await onPort(played, host, port, live);
  } finally {
    await live?.close();
  }
};

/** Until the client closes stdin. stdout is its: what people are told goes to stderr. */
async function onStdio(played: Replay, host: Host, live: LiveServer | undefined): Promise<ExitCode> {
  const { serveStdio } = await import('../../replay/stdio-server');
  if (live)
    endOnSignals({ shutdown: () => live.close(), hasServers: () => true, say: host.note, failureCode: EXIT.internal });
  await serveStdio(played, host, process.stdin, process.stdout);
  return EXIT.fine;
}

/** Until a signal. */
async function onPort(played: Replay, host: Host, port: number, live: LiveServer | undefined): Promise<never> {
  const { serveHttp } = await import('../../replay/http-server');
  const server = await serveHttp(played, host, port).catch((error) => {
    throw error instanceof StartError ? usage(`${error.message} ${error.advice}`) : error;
  });
  endOnSignals({
    shutdown: async () => {
      await server.close();
      await live?.close();
    },
    hasServers: () => live !== undefined,
    say: host.note,
    failureCode: EXIT.internal,
  });
  host.note('Every account on this machine can read what is replayed there, while it runs.');
  process.stdout.write(`${server.url}\n`);
  return new Promise<never>(() => {});
}

/** What it takes is loaded only when something is to be forwarded. */
async function openLive({ request, version, home }: FileRun): Promise<LiveServer> {
  const { LiveServer } = await import('../../replay/live-server');
  return new LiveServer({ words: request.command ?? [], version, home, out: terminalOutput(false) });
}

function readOnMiss({ given }: FileRequest): OnMiss {
  const text = given.get('on-miss')?.at(-1) ?? 'error';
  const found = ON_MISS.find((known) => known === text);
  if (found) return found;
  throw usage(`\`--on-miss ${text}\` is none: choose from ${ON_MISS.join(', ')}.`);
}

function readGivenPace({ given }: FileRequest): Pace {
  const text = given.get('pace')?.at(-1) ?? 'instant';
  const pace = readPace(text);
  if (pace !== undefined) return pace;
  throw usage(`\`--pace ${text}\` is none: write \`instant\`, \`real\`, or \`x4\` for four times as fast.`);
}

function readPort({ given }: FileRequest): number | undefined {
  const text = given.get('port')?.at(-1);
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= MOST_PORTS) return port;
  throw usage(`\`--port ${text}\` is out of range: give a whole number from 0 to ${MOST_PORTS}.`);
}
