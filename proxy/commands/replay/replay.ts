import { isObject } from '@/lib/json/value';
import { CallIndex } from '@/lib/replay/server/call-index';
import { parsePace, type ReplayPace } from '@/lib/replay/server/playback';
import type { Replay, ReplayHost } from '@/lib/replay/server/replay';
import type { OnMiss } from '@/lib/replay/server/unrecorded';
import type { OpenedTraffic } from '@/lib/replay/traffic/open-traffic';
import { hasPlaceholder } from '@/lib/replay/traffic/placeholders';
import type { ClientMessage } from '@/lib/replay/traffic/recorded-traffic';
import { systemClock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import { choiceOf } from '@/proxy/cli/choice';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, lastValue, type RunCommand, readNumberOption } from '@/proxy/cli/grammar';
import { terminalOutput } from '@/proxy/cli/output';
import { endOnSignals } from '@/proxy/cli/signals';
import { namedFile } from '@/proxy/commands/shared/file-access';
import { StartError } from '@/proxy/http/listen';
import { checkSentences, damageSentences } from '@/proxy/recorder/read-traffic';
import { openTrafficIn } from '../shared/open-traffic';
import { runWithin } from '../shared/time-limit';
import type { LiveServer } from './live-server';

type Host = Omit<ReplayHost, 'side'>;

const ON_MISS: readonly OnMiss[] = ['error', 'forward', 'empty'];
const MOST_PORTS = 65_535;

/** Runs an MCP server that answers from a recording. */
export const run: RunCommand = async (context) => {
  const { request, printNote } = context;
  const { given } = request;
  const onMiss = readOnMiss(lastValue(given, 'on-miss') ?? 'error');
  const pace = readPace(lastValue(given, 'pace') ?? 'instant');
  const port = lastValue(given, 'port');
  const number = port === undefined ? undefined : readNumberOption('port', port, MOST_PORTS);
  if (request.server.length > 0 && onMiss !== 'forward') {
    throw usageError('A server after `--` needs `--on-miss forward`. Add that, or remove the server.');
  }
  const file = request.words[0]!;
  if (file === '-' && number === undefined) {
    throw usageError('`-` is stdin, which the client writes to: add `--port NUMBER`, or name a file.');
  }
  const live = onMiss === 'forward' ? await openLive(context) : undefined;
  const local = await namedFile(file, context);
  const opened = await openTrafficIn(local, 'after `replay`');
  for (const sentence of replayNotes(opened)) printNote(sentence);
  // Takes as long as reading the file, so clients need not wait for it.
  void opened.check?.().then(
    (check) => {
      if (check.hasWord) printNote(REDACTED);
      for (const sentence of checkSentences(check)) printNote(sentence);
    },
    () => {},
  );
  const { traffic } = opened;
  live?.adoptProtocol(traffic);
  const played: Replay = { traffic, calls: new CallIndex(traffic), pace, onMiss };
  const host: Host = { clock: systemClock, printNote, sampleOf, ...(live && { forward: live.forward }) };
  try {
    if (number === undefined) return await onStdio(played, host, live);
    return await onPort(played, host, number, live);
  } finally {
    await live?.close();
    await opened.close();
  }
};

/**
 * Makes a small object that fits a schema, as JSON text; undefined if none is found in time. Loads the generator at
 * the first use.
 */
export async function sampleOf(schema: unknown): Promise<string | undefined> {
  const [{ makeSample }, { SchemaChecker }] = await Promise.all([
    import('@/lib/schema/sample'),
    import('@/lib/schema/check'),
  ]);
  const text = JSON.stringify(schema);
  let fitting: string | undefined;
  try {
    runWithin(LIMITS.schemaWorkMs, () => {
      const sample = JSON.stringify(JSON.parse(makeSample(text, false)));
      const { findings, unchecked } = new SchemaChecker(text).check(sample, new Map());
      if (isObject(JSON.parse(sample)) && findings.length === 0 && unchecked === undefined) fitting = sample;
    });
  } catch {
    // The generator can’t handle this schema.
  }
  return fitting;
}

/** Describes a recording to the person who replays it. */
export function replayNotes(opened: OpenedTraffic): readonly string[] {
  const { header, traffic } = opened;
  const calls = traffic.sent.filter(({ kind }) => kind === 'call').length;
  const version = traffic.version === undefined ? '' : `, ${traffic.version}`;
  return [
    `Replaying ${header.name || 'a server'}${version}, recorded ${header.at}: ${calls} request${calls === 1 ? '' : 's'}.`,
    ...damageSentences(opened),
    ...(opened.report && traffic.sent.some(isRedacted) ? [REDACTED] : []),
    ...(traffic.handshake ? [] : ['It has no handshake, so one is derived from the rest.']),
  ];
}

const REDACTED = 'Its secrets were redacted, so clients get placeholders.';

function isRedacted(message: ClientMessage): boolean {
  return message.kind === 'call' && message.answer !== undefined && hasPlaceholder(message.answer.text);
}

/** Serves until the client closes stdin. stdout belongs to the client, so notes go to stderr. */
async function onStdio(played: Replay, host: Host, live: LiveServer | undefined): Promise<ExitCode> {
  const { serveStdio } = await import('@/proxy/replay/stdio-server');
  if (live)
    endOnSignals({
      shutdown: () => live.close(),
      hasServers: () => true,
      say: host.printNote,
      failureCode: EXIT.internal,
    });
  await serveStdio(played, host, process.stdin, process.stdout);
  return EXIT.fine;
}

/** Serves until a signal. */
async function onPort(played: Replay, host: Host, port: number, live: LiveServer | undefined): Promise<never> {
  const { serveHttp } = await import('@/proxy/replay/http-server');
  const server = await serveHttp(played, host, port).catch((error) => {
    throw error instanceof StartError ? usageError(`${error.message} ${error.advice}`) : error;
  });
  endOnSignals({
    shutdown: async () => {
      await server.close();
      await live?.close();
    },
    hasServers: () => live !== undefined,
    say: host.printNote,
    failureCode: EXIT.internal,
  });
  host.printNote('While this runs, every account on this machine can read the recording there.');
  process.stdout.write(`${server.url}\n`);
  return new Promise<never>(() => {});
}

/** Loads the code of a live connection only to forward requests. */
async function openLive({ request, version, home }: CommandContext): Promise<LiveServer> {
  const { LiveServer } = await import('./live-server');
  return new LiveServer({ words: request.server, version, home, out: terminalOutput(false) });
}

/** Reads `--on-miss`. Throws an ExitError. */
export function readOnMiss(text: string): OnMiss {
  return choiceOf('--on-miss', text, ON_MISS);
}

/** Reads `--pace`. Throws an ExitError. */
export function readPace(text: string): ReplayPace {
  const pace = parsePace(text);
  if (pace !== undefined) return pace;
  throw usageError(`\`--pace ${text}\` is unknown: write \`instant\`, \`real\`, or \`x4\` for four times as fast.`);
}
