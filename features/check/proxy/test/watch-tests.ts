import { systemClock } from '@/lib/wire/clock';
import { countOf } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import type { WatchFailure, WatchState } from '@/lib/wire/watch';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import { type CommandOutput, terminalOutput } from '@/proxy/cli/output';
import { readWatch } from '@/proxy/cli/page-options';
import { readClientOptions } from '@/proxy/commands/headless/client-options';
import {
  type CommandAction,
  type ConnectedServer,
  endWith,
  findLaunch,
  readServerRequest,
  runOn,
} from '@/proxy/commands/headless/on-server';
import type { Launch } from '@/proxy/connection/launch';
import { StderrLines } from '@/proxy/connection/stdio-lines';
import { answers } from '@/proxy/egress/answers';
import { helperEnvironment } from '@/proxy/process/environment';
import { ownReaper } from '@/proxy/process/reaper';
import { Build } from '@/proxy/watch/build';
import { EntryWatch, type RunEnd, type WatchedEntry } from '@/proxy/watch/entry-watch';
import { GONE, planFor } from '@/proxy/watch/server-watches';
import { withFile } from '@/proxy/watch/watch-plan';
import { findTestFiles } from './find-files';
import { readPinsFile } from './pins-file';
import type { Verdicts } from './play-pins';
import { endTests, prepareFile, refuseClientOptions, worst } from './run-tests';
import type { FileTest, Tested } from './tested';

/** Plays the files once, and again after each save, on new servers, until Ctrl-C. Rejects with an ExitError. */
export function watchTests(context: CommandContext): Promise<ExitCode> {
  return watchUntilStopped(context, terminalOutput(context.request.given.has('json')), endWith);
}

/** As {@link watchTests}. `onSignals` gets what ends everything, and what Ctrl-C does first. */
export async function watchUntilStopped(
  context: CommandContext,
  out: CommandOutput,
  onSignals: typeof endWith,
): Promise<ExitCode> {
  const { request, version, home, status } = context;
  const { given } = request;
  for (const [name, why] of Object.entries(REFUSED)) {
    if (given.has(name)) throw usageError(`\`--${name}\` ${why} Remove it or \`--watch\`.`);
  }
  const server = { ...readServerRequest(request), client: await readClientOptions(given) };
  const { build, globs } = readWatch(given);
  const files = await findTestFiles(context);
  refuseClientOptions(files, given);
  // What is wrong with a pins file is said at once.
  for (const file of files) if (file.kind === 'pins') await readPinsFile(file);
  const launch = await findLaunch(server.options, home);
  let code: ExitCode = EXIT.fine;
  const verdicts = new Map<string, Verdicts>();
  let runs = 0;

  const restart = async (stale: AbortSignal): Promise<RunEnd | undefined> => {
    const id = String(++runs);
    const all: Tested[] = [];
    for (const file of files) {
      const watch = {
        stale,
        before: verdicts.get(file.path),
        onPlayed: (now: Verdicts) => verdicts.set(file.path, now),
      };
      // Each save may be of this file.
      const test = await prepareFile(file, given, status, watch);
      if (files.length > 1 && !out.json) out.printLines([[{ text: file.shown, tone: 'strong' }]]);
      const { failure, ended } = await playOnce(test, stale);
      // What was played to its end counts, though a save came while the server was ending.
      if (stale.aborted && !test.tested()) return undefined;
      if (failure) {
        const { message, advice, code: why } = failure;
        return { opened: false, id, failure: { what: 'server', message, advice }, gone: GONE.has(why) };
      }
      all.push(test.tested() ?? { file: file.shown, name: file.shown, code: ended });
    }
    code = worst(all.map((one) => one.code));
    await endTests(all, given, out);
    return stale.aborted ? undefined : { opened: true, id };
  };

  /** Plays a file on a new server, which ends with `stale`. */
  const playOnce = async (test: FileTest, stale: AbortSignal) => {
    let close = async (): Promise<void> => {};
    let failure: Failure | undefined;
    const connect: CommandAction['connect'] = {
      ...test.play.connect,
      out,
      explain: async (_out, _look, why) => {
        failure = why;
        return true;
      },
    };
    const onStale = (): void => void close();
    stale.addEventListener('abort', onStale, { once: true });
    const play: CommandAction = Object.assign((connected: ConnectedServer) => test.play(connected), { connect });
    const launched = {
      ...launch,
      protocol: server.options.protocol === 'auto' ? (connect.protocol ?? 'auto') : launch.protocol,
    };
    const ended = await runOn(launched, play, server, version, (next) => {
      close = next;
      if (stale.aborted) void close();
    });
    stale.removeEventListener('abort', onStale);
    await test.finish?.();
    return { failure, ended };
  };

  const entry: WatchedEntry = {
    clock: systemClock,
    good: () => undefined,
    show: stateLines(out),
    print: (sentence) => out.printNote('mcp-inspect', sentence),
    restart,
    ...(build && launch.transport === 'stdio' && { build: terminalBuild(build, launch, out) }),
    ...(launch.transport !== 'stdio' && { answers: () => answers(launch.url, server.options.allowLinkLocal) }),
  };
  const plan = files.reduce(
    (whole, { path }) => withFile(whole, path),
    planFor(launch, { globs, ...(build && { build }) }),
  );
  const watch = new EntryWatch(entry, plan);
  const interrupted = new Promise<void>((stop) => {
    onSignals(
      () => watch.stop(),
      () => {
        stop();
        return true;
      },
    );
  });
  await watch.start();
  watch.runAgain();
  await interrupted;
  out.status.end();
  await watch.stop();
  return code;
}

/** Options that are about one session. */
const REFUSED: Readonly<Record<string, string>> = {
  record: 'records one session, and `--watch` starts one at each save.',
};

/** Returns a function that prints what is new in each state. */
function stateLines(out: CommandOutput): (state: WatchState) => void {
  let last: WatchState | undefined;
  return (state) => {
    const { phase, saves, saved, failure, limit, where, files } = state;
    const before = last;
    last = state;
    if (limit !== undefined && limit !== before?.limit) out.printNote('mcp-inspect', limit);
    if (saved && saved.file !== '' && saves !== before?.saves) {
      const more = saved.more === 0 ? 'was' : `and ${countOf(saved.more, 'other file')} were`;
      out.printNote('mcp-inspect', `${saved.file} ${more} saved.`);
    }
    const watched = `${countOf(files, 'file')} (${where})`;
    if (phase === 'watching') {
      if (before?.phase === 'looking') out.printNote('mcp-inspect', `Watching ${watched}. Ctrl-C ends.`);
      if (failure && failure !== before?.failure && failure.what !== 'watch') printWhy(failure, out);
    }
    if (phase !== 'restarting') out.status.show(PHASES[phase] ?? `Watching ${watched}… Ctrl-C ends`);
  };
}

const PHASES: Partial<Record<WatchState['phase'], string>> = {
  looking: 'Looking for files to watch…',
  building: 'Building… Ctrl-C ends',
  waiting: 'Waiting until the server answers… Ctrl-C ends',
};

function printWhy({ message, advice, line, place }: WatchFailure, out: CommandOutput): void {
  out.printNote('mcp-inspect', `${message} ${advice}`);
  if (line !== undefined && place !== undefined && !line.includes(place)) out.printNote('mcp-inspect', place);
}

/** Runs the build, and prints its output as it comes. */
function terminalBuild(words: readonly string[], { cwd }: Launch & { transport: 'stdio' }, out: CommandOutput) {
  let running: Build | undefined;
  const openOutput = () =>
    new StderrLines(systemClock, (source, start, end) => {
      out.printNote('build', Buffer.from(source.buffer, source.byteOffset + start, end - start).toString());
    });
  return {
    run: async () => {
      const env = helperEnvironment(process.env);
      running = new Build(ownReaper, systemClock);
      const failure = await running.run({ words, cwd, env }, openOutput);
      running = undefined;
      return failure && { ...failure, advice: 'Fix the error, and save again.' };
    },
    stop: async () => running?.stop(),
  };
}
