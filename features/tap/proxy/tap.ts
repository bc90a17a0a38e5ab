import { randomBytes } from 'node:crypto';
import { constants } from 'node:os';
import { UPLOADS } from '@/features/recording-stores';
import { commandName } from '@/lib/wire/command-name';
import type { Direction } from '@/lib/wire/frame';
import { isFailure, type LifecycleEvent } from '@/lib/wire/lifecycle';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { standardInput, standardOutput } from '@/proxy/files/standard-streams';
import type { ServerTelemetry } from '@/proxy/otel/server-telemetry';
import { Reaper } from '@/proxy/process/reaper';
import { type ServerProcess, spawnServer } from '@/proxy/process/spawn';
import type { TapLine } from '@/proxy/servers/tap-line';
import { exportSettings } from './open-export';
import { RecordingThread } from './recording-thread';
import { closed, StreamRelay } from './relay';
import type { Passed } from './ring';
import { SeenMessages } from './seen-messages';
import { TapControl } from './tap-control';

/** How long the server's output may pause after its exit while a process that it left behind holds the pipes, in ms. */
const DRAIN_MS = 500;
/** How long the exit waits for the recording, in ms. A signal ends that sooner. Usually it takes a few. */
const RECORDING_MS = 10_000;
/** When the tap begins to listen for pages that set rules, in ms after the start of the server. */
const LISTEN_AFTER_MS = 250;
/** A server that closes its stderr usually exits. After this many milliseconds, it is still running on purpose. */
const EXIT_FOLLOWS_MS = 100;
/** Signals that reach the server as if it had been started without a tap. */
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2'] as const;
/** Signals that a terminal sends to everything that runs in it. */
const TO_GROUP: ReadonlySet<NodeJS.Signals> = new Set(['SIGHUP', 'SIGINT', 'SIGQUIT']);
/** Signals by which a host tells a server to do something else than to end. */
const NOT_TO_END: ReadonlySet<NodeJS.Signals> = new Set(['SIGUSR1', 'SIGUSR2']);
/** Exit codes of shells, for a command that could not be started. */
const NOT_FOUND = 127;
const NOT_STARTED = 126;
/** Exit code for an option whose value can't be used. */
const WRONG_OPTION = 2;

/** Each unit of telemetry is a line of its stream. */
const LINE_END = Buffer.from('\n');

/** How the server's process has ended. */
interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The host had left before. */
  readonly byHost: boolean;
}

/**
 * Runs a server as if the host had started it itself: passes bytes, ends, signals and the exit on, and records what has
 * passed. Ends this process as the server's has ended.
 */
export async function runTap(line: TapLine, version: string): Promise<never> {
  const [command = '', ...args] = line.command;
  const [input, output, errors] = [standardInput(), standardOutput(1), standardOutput(2)];
  const note = (sentence: string): void => void (errors.writable && errors.write(`mcp-inspect: ${sentence}\n`));
  const reaper = new Reaper();
  const early: NodeJS.Signals[] = [];
  let server: ServerProcess | undefined;
  let recording: RecordingThread | undefined;
  /** True once the host has closed stdin, or told the server to end. */
  let hostLeft = false;
  for (const signal of process.platform === 'win32' ? SIGNALS.slice(0, 2) : SIGNALS) {
    process.on(signal, () => {
      hostLeft ||= !NOT_TO_END.has(signal);
      if (server) forward(server, signal);
      else early.push(signal);
    });
  }
  /** Says why the server does not start, and ends this process. */
  const refuse = async (error: unknown, exitCode: number): Promise<never> => {
    if (!isFailure(error)) throw error;
    note(`${error.message} ${error.advice}`);
    errors.end();
    await closed(errors);
    return process.exit(exitCode);
  };
  const given = await givenRules(line).catch((error) => refuse(error, WRONG_OPTION));
  const upload = await givenUpload(line).catch((error) => refuse(error, WRONG_OPTION));
  const otlp = await exportSettings(line.otlp).catch((error) => refuse(error, WRONG_OPTION));
  const telemetry = line.otel && line.records ? await receiveTelemetry(line, () => recording) : undefined;
  const session = randomBytes(8).toString('hex');
  const about = {
    ...line,
    upload,
    otlp,
    version,
    command,
    args,
    cwd: process.cwd(),
    environment: process.env,
    session,
    telemetry: telemetry?.names,
    secrets: telemetry?.secrets,
  };
  // Its thread starts beside the server: nothing passes before that is ready.
  recording = line.records ? startRecording(about, note) : undefined;
  const environment = { ...process.env, ...telemetry?.variables };
  try {
    server = await spawnServer({ command, args, cwd: process.cwd(), env: environment }, reaper);
  } catch (error) {
    return refuse(error, isFailure(error) && error.code === 'command-not-found' ? NOT_FOUND : NOT_STARTED);
  }
  const { child, pid } = server;
  const exited = new Promise<Exit>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal, byHost: hostLeft })),
  );
  for (const signal of early) forward(server, signal);
  recording?.logEvent({ event: 'spawned', pid });

  const seen = new SeenMessages();
  const message = (direction: Direction, stream: Passed) => (chunk: Buffer) => {
    seen.keep(direction, chunk);
    return recording?.onPassing(stream, chunk);
  };
  const passages = {
    'to-server': new StreamRelay(input, child.stdin, message('to-server', 'stdin')),
    'to-client': new StreamRelay(child.stdout, output, message('to-client', 'stdout')),
  };
  const { 'to-server': toServer, 'to-client': toClient } = passages;
  const stderr = new StreamRelay(child.stderr, errors, (chunk) => recording?.onPassing('stderr', chunk));
  const begun = recording?.written();
  for (const relay of [toServer, toClient, stderr]) relay.waitUntil(begun);
  toServer.from.once('end', () => {
    hostLeft = true;
  });
  const control = new TapControl({ passages, recording, seen }, given?.({ passages, recording, seen }));
  toServer.from.on('close', () => control.end('to-server'));
  toClient.from.on('close', () => control.end('to-client'));
  // The server needs the processor more at first.
  if (recording) setTimeout(() => void control.listen(ownRecordingsFolder(), session), LISTEN_AFTER_MS).unref();
  // At the exit, our own note may follow.
  stderr.from.on('close', () => setTimeout(() => isRunning(child) && errors.end(), EXIT_FOLLOWS_MS).unref());

  const exit = await exited;
  server.tree.onLeaderExit();
  await drained([toClient, stderr]);
  // The host sees the ends before the exit, as it does without a tap.
  toServer.from.destroy();
  control.close();
  control.end('to-server');
  control.end('to-client');
  await closed(output);
  await telemetry?.close();
  await recording?.end(lastEvents(exit), RECORDING_MS);
  errors.end();
  await closed(errors);
  // What is left of the server's group is ended by the reaper, because nobody reads its output any more.
  if (!server.tree.isAlive()) reaper.delete(pid);
  reaper.dismiss();
  return endAs(exit);
}

async function givenRules({ intercept }: TapLine) {
  if (intercept.length === 0) return undefined;
  return (await import('./given-rules')).readGivenRules(intercept);
}

/** Starts to receive the server's telemetry. Returns undefined if its environment sends it elsewhere. */
async function receiveTelemetry(
  { name, command: [command = '', ...args] }: TapLine,
  recording: () => RecordingThread | undefined,
): Promise<ServerTelemetry | undefined> {
  const { ServerTelemetry } = await import('@/proxy/otel/server-telemetry');
  const launched = { transport: 'stdio', name: name ?? commandName({ command, args }), env: process.env } as const;
  const telemetry = ServerTelemetry.of(launched);
  await telemetry?.open(
    (bytes) => recording()?.onPassing('otel', Buffer.concat([bytes, LINE_END])),
    (event) => recording()?.logEvent(event),
  );
  return telemetry;
}

/** Only a tap that uploads loads the code for that. */
async function givenUpload({ upload, records }: TapLine) {
  return upload && records ? UPLOADS?.settingsOf(upload) : undefined;
}

function startRecording(
  session: Omit<ConstructorParameters<typeof RecordingThread>[0], 'folder'>,
  note: (sentence: string) => void,
): RecordingThread | undefined {
  try {
    return new RecordingThread({ ...session, folder: ownRecordingsFolder() }, note);
  } catch (error) {
    note(`This session is not recorded: ${(error as Error).message.replace(/\.$/, '')}.`);
    return undefined;
  }
}

function isRunning({ exitCode, signalCode }: ServerProcess['child']): boolean {
  return exitCode === null && signalCode === null;
}

function forward({ child, pid }: ServerProcess, signal: NodeJS.Signals): void {
  // What is left to do then, such as to write to a host that does not read, may take for ever.
  if (!isRunning(child)) process.exit(128 + constants.signals[signal]);
  try {
    if (TO_GROUP.has(signal) && process.platform !== 'win32') process.kill(-pid, signal);
    else child.kill(signal);
  } catch {
    // It is gone.
  }
}

/** Resolves once both passages have ended, or nothing more comes through them. */
async function drained(passages: readonly StreamRelay[]): Promise<void> {
  let quiet: NodeJS.Timeout | undefined;
  const isQuiet = new Promise<void>((resolve) => {
    // The host may take its time to read.
    const look = (): void => void (passages.some(({ isWaiting }) => isWaiting) ? again() : resolve());
    quiet = setTimeout(look, DRAIN_MS);
    const again = (): void => void quiet?.refresh();
    for (const passage of passages) passage.onActivity = again;
  });
  await Promise.race([isQuiet, Promise.all(passages.map(({ from }) => closed(from)))]);
  clearTimeout(quiet);
  for (const { from } of passages) from.destroy();
}

/** Returns the end of the session. A server that leaves after its host did has not failed. */
function lastEvents({ code, signal, byHost }: Exit): readonly LifecycleEvent[] {
  const exit = { event: 'exit', code, signal } as const;
  if (byHost) return [{ event: 'closing', reason: 'host' }, exit, { event: 'closed' }];
  if (code === 0) return [exit, { event: 'closed' }];
  const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
  const advice = 'Read its stderr. The host decides whether it starts again.';
  return [exit, { event: 'failed', code: 'server-exited', message: `The server ${how}.`, advice }];
}

function endAs({ code, signal }: Exit): never {
  if (signal === null) process.exit(code ?? 0);
  process.removeAllListeners(signal);
  try {
    process.kill(process.pid, signal);
  } catch {
    // Windows has no such signal.
  }
  // The signal ends this process within a moment.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  process.exit(128 + constants.signals[signal]);
}
