import { join } from 'node:path';
import { Credentials } from '@/lib/auth/credentials';
import type { SignIn } from '@/lib/auth/sign-in-desk';
import type { LiveHost } from '@/lib/mcp/live-host';
import type { TapHost } from '@/lib/mcp/tap';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { type Moment, momentOn, systemClock } from '@/lib/wire/clock';
import type { Neighbourhood } from '@/lib/wire/command';
import { type Failure, isFailure, type ProtocolChoice } from '@/lib/wire/lifecycle';
import { LoopbackDesk } from '../authorization/loopback-desk';
import { EXIT, type ExitCode, Stop, usage } from '../cli/exit-code';
import { isProgram } from '../cli/on-path';
import { buildPresets } from '../cli/presets';
import { endOnSignals } from '../cli/signals';
import type { FoundSubcommand } from '../cli/subcommands';
import { tellFailure } from '../cli/tell-failure';
import { insecureNote } from '../connection/insecure-note';
import { type Launch, resolveLaunch, serverIdentity } from '../connection/launch';
import { launchSecrets } from '../connection/launch-secrets';
import { Reaper } from '../process/reaper';
import { ownRecordingsFolder } from '../recorder/recordings-folder';
import { ServerEras } from '../recorder/server-eras';
import { note } from '../terminal/note';
import { terminalOutput } from '../terminal/output';
import { terminalQuestions } from '../terminal/questions';
import { createTransport, lookFurther } from '../transports/registry';
import { askInputs } from './ask-inputs';
import { COMMANDS } from './commands/registry';
import { heardTap } from './heard-tap';
import { subcommandHelp } from './help';
import { notesTap } from './notes';
import { type HeadlessRequest, parseRequest } from './request';
import { type PlayedClient, Session } from './session';
import { StrayOutput } from './stray-output';

/**
 * Runs a subcommand to its end, its server's end included, and returns the exit code. `home` is the directory of the built
 * bin.
 */
export async function runSubcommand(found: FoundSubcommand, version: string, home: string): Promise<ExitCode> {
  try {
    const request = parseRequest(found, (word) => isProgram(word, process.env, process.cwd()));
    if (request === 'help' || request === 'version') {
      process.stdout.write(request === 'help' ? subcommandHelp(found.name) : `${version}\n`);
      return EXIT.fine;
    }
    return await runRequest(request, version, home);
  } catch (error) {
    return tellFailure(error, codeOf);
  }
}

async function runRequest(request: HeadlessRequest, version: string, home: string): Promise<ExitCode> {
  const action = await COMMANDS[request.name](request);
  const found = await findLaunch(request, home, action.connect?.protocol);
  const eras = new ServerEras(ownRecordingsFolder());
  const server = serverIdentity(found);
  // The doctor asks everything.
  const launch = { ...found, remembered: request.name === 'doctor' ? undefined : eras.recall(server) };
  const out = terminalOutput(request.json);
  const desk = new LoopbackDesk(!process.env.CI, askToSignIn);
  const warning = insecureNote(launch);
  if (warning !== undefined) out.note('mcp-inspect', warning);
  const began = momentOn(systemClock);
  const recording = await beginRecording(request, launch, began, version);
  const notes = notesTap(out);
  const log = request.name === 'doctor' ? new (await import('./doctor')).DoctorLog() : undefined;
  const stray = new StrayOutput();
  const told = stray.tap(log ? log.tap(notes) : notes);
  const heard = heardTap(told, action.connect?.heard);
  const append = recording ? recording.tap(heard) : heard;
  const session = newSession(launch, request, version, {
    ...{ began, append, desk, client: action.connect?.client },
    eraFound: (remembered) => eras.keep(server, remembered),
    secrets: secretsOf(recording, action.connect?.redactor),
  });
  action.connect?.redactor?.give(launchSecrets(launch));
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= session
      .close()
      .then(() => desk.close())
      .then(() => recording?.end());
    return closed;
  };
  endOnSignals({ shutdown: close, hasServers: () => true, say: note, failureCode: EXIT.internal });
  try {
    const negotiated = await session.open();
    return await action({ session, negotiated, out, stray });
  } catch (error) {
    // By a signal, which has said so and decides about the exit code.
    if (session.closing) return EXIT.internal;
    const look = (where: Neighbourhood): Promise<void> => session.lookFurther(where);
    if (log && isFailure(error) && (await log.tell(out, look))) return EXIT.noConnection;
    return tellFailure(stray.explain(error), codeOf);
  } finally {
    await close();
    const lines = stray.takeLines();
    if (lines) out.note('mcp-inspect', lines.message);
  }
}

/** Whoever takes secrets out is told of them. */
function secretsOf(
  recording: { learn(secrets: readonly string[]): void } | undefined,
  redactor: CaptureRedactor | undefined,
): SessionParts['secrets'] {
  if (!recording && !redactor) return undefined;
  return (secrets) => {
    recording?.learn(secrets);
    redactor?.learn(secrets);
  };
}

/** What it takes is loaded only when a recording is asked for. */
async function beginRecording({ record }: HeadlessRequest, launch: Launch, { at }: Moment, version: string) {
  if (record === undefined) return undefined;
  const { recordingTap, startRecording } = await import('./recording');
  const recording = startRecording(record, launch, at, version);
  return {
    tap: (next: TapHost['append']) => recordingTap(recording, next),
    learn: (secrets: readonly string[]) => recording.learn(secrets),
    end: () => {
      const missing = recording.end();
      if (missing !== undefined) note(`mcp-inspect: ${missing}`);
    },
  };
}

/** `protocol`: what is spoken where nobody says. */
async function findLaunch({ run }: HeadlessRequest, home: string, protocol: ProtocolChoice = 'auto'): Promise<Launch> {
  const found = buildPresets(run, {
    cwd: process.cwd(),
    environment: process.env,
    demo: { command: process.execPath, args: [join(home, '../examples/demo-server/server.mjs')] },
  });
  if ('wrong' in found) throw usage(found.wrong);
  for (const sentence of found.notes) note(`mcp-inspect: ${sentence}`);
  const { shown } = found.chosen!;
  if (shown.problem !== undefined) throw new Stop(EXIT.noConnection, shown.problem);
  const inputs = await askInputs(shown.inputs ?? [], { ask: terminalQuestions(), note });
  return resolveLaunch(
    { ...shown.target, base: shown.id, ...(inputs.length > 0 && { inputs }) },
    run.protocol === 'auto' ? protocol : shown.protocol,
    found.presets,
  );
}

interface SessionParts {
  readonly began: Moment;
  readonly append: TapHost['append'];
  readonly desk: LoopbackDesk;
  readonly client: PlayedClient | undefined;
  readonly secrets: ((values: readonly string[]) => void) | undefined;
  readonly eraFound: LiveHost['eraFound'];
}

function newSession(
  launch: Launch,
  { timeoutMs, run }: HeadlessRequest,
  version: string,
  { began, append, desk, client, secrets, eraFound }: SessionParts,
): Session {
  const reaper = new Reaper();
  const clock = systemClock;
  const authorization = { store: new Credentials(), desk };
  return new Session(launch, {
    clock,
    began,
    version,
    timeoutMs,
    append,
    eraFound,
    ...(client && { client }),
    ...(secrets && { secrets }),
    openTransport: (launched, sink) =>
      createTransport(launched, { sink, clock, reaper, version, allowLinkLocal: run.allowLinkLocal, authorization }),
    lookFurther: (launched, where, sink, signal) =>
      lookFurther(launched, where, { sink, clock, version, allowLinkLocal: run.allowLinkLocal }, signal),
  });
}

/** That of a failure. */
function codeOf({ code }: Failure): ExitCode {
  return code === 'handshake-timeout' ? EXIT.timeout : EXIT.noConnection;
}

/** The address is for a person to open: nothing of ours does that with what a server names. */
function askToSignIn({ url, issuer, scopes }: SignIn): void {
  const what = scopes.length === 0 ? '' : ` for ${scopes.join(' ')}`;
  const [host, by] = [new URL(url).host, new URL(issuer).host];
  const where = host === by ? host : `${host} (on behalf of ${by})`;
  note(`The server wants you to sign in at ${where}${what}. Open this address:\n${url}`);
}
