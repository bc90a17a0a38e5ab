import { join } from 'node:path';
import { Credentials, type SignIn } from '@/lib/auth/credentials';
import type { LiveHost, TapHost } from '@/lib/mcp/live-connection';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { type Moment, momentNow, systemClock } from '@/lib/wire/clock';
import type { NearbyAddresses } from '@/lib/wire/command';
import type { Frame } from '@/lib/wire/frame';
import { type Failure, isFailure, type ProtocolChoice } from '@/lib/wire/lifecycle';
import { isProgram } from '@/proxy/cli/args';
import { EXIT, type ExitCode, ExitError, printFailure, usageError } from '@/proxy/cli/exit-code';
import { columns, label } from '@/proxy/cli/help';
import { OPTIONS } from '@/proxy/cli/options';
import { printNote, terminalOutput } from '@/proxy/cli/output';
import { buildPresets } from '@/proxy/cli/presets';
import { endOnSignals } from '@/proxy/cli/signals';
import {
  type FoundSubcommand,
  ownOptions,
  SUBCOMMAND_OPTIONS,
  SUBCOMMANDS,
  type SubcommandName,
} from '@/proxy/cli/subcommands';
import { insecureNote, type Launch, launchSecrets, resolveLaunch, serverIdentity } from '@/proxy/connection/launch';
import { createTransport, lookFurther } from '@/proxy/connection/transports';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { LoopbackSignIn } from '@/proxy/http/loopback-sign-in';
import { Reaper } from '@/proxy/process/reaper';
import { ServerEras } from '@/proxy/recorder/server-eras';
import { askInputs, terminalQuestions } from './ask-inputs';
import { call } from './call';
import { doctor } from './doctor';
import { forms } from './forms';
import { list } from './list';
import { prompt } from './prompt';
import { raw } from './raw';
import { read } from './read';
import { type ClientProfile, ServerConnection } from './server-connection';
import { notesTap } from './server-notes';
import { StrayOutput } from './stray-output';
import { type HeadlessRequest, parseRequest, type Subcommand } from './subcommand';
import { verify } from './verify';

/** A tap that hands on every frame, then tells of it whoever wants to hear. */
export function frameTap(next: TapHost['append'], heard?: (frame: Frame) => void): TapHost['append'] {
  if (!heard) return next;
  return (channel, direction, flags, time, source, start, end) => {
    const seq = next(channel, direction, flags, time, source, start, end);
    heard({ seq, time, channel, direction, flags, bytes: source.slice(start, end) });
    return seq;
  };
}

/** Each is about the subcommand that is its second word. */
const EXAMPLES: readonly (readonly [string, string])[] = [
  ['mcp-inspect list -- node server.js', 'everything it has, as tables'],
  ['mcp-inspect list tools --json -- node server.js', 'the exact result; a line for each page'],
  ['mcp-inspect call add --arg a=1 --arg b=2 -- node server.js', 'arguments typed by the tool’s schema'],
  ['mcp-inspect call add --args @args.json --demo', 'arguments from a file; - is stdin'],
  ['mcp-inspect read file:///x --config .mcp.json --server files', 'a server of a config'],
  ['mcp-inspect prompt review --arg code=x -- node server.js', 'a prompt’s messages'],
  ['mcp-inspect verify a.mcpr.jsonl -- node server.js', 'a recorded session again; exit code 1: it differs'],
  [`mcp-inspect raw '{"jsonrpc":"2.0","id":9,"method":"ping"}' …`, 'any message; what has an id is waited for'],
  ['mcp-inspect raw --no-handshake @initialize.json @call.json …', 'several in order, and nothing before them'],
];

const SERVER: readonly string[] = [
  'config',
  'server',
  'input',
  'demo',
  'protocol',
  'no-handshake',
  'transport',
  'header',
  'ca',
  'cert',
  'key',
  'key-passphrase-env',
  'insecure',
  'env',
  'clean-env',
  'cwd',
  'allow-link-local',
];

const CODES: readonly (readonly [string, string])[] = [
  ['0', 'fine'],
  ['1', 'the server said error, asked instead, or sent an invalid result; verify differs or compares nothing'],
  ['2', 'the command line makes no sense'],
  ['3', 'no connection: the server did not start, refused the handshake, or went'],
  ['5', 'no answer in time'],
  ['70', 'mcp-inspect itself failed; 128 + n after signal n'],
];

/** The text of `mcp-inspect call --help` and its like. */
export function subcommandHelp(name: SubcommandName): string {
  const row = SUBCOMMANDS.find((known) => known.name === name)!;
  const examples = EXAMPLES.filter(([line]) => line.split(' ')[1] === name);
  const general = SUBCOMMAND_OPTIONS.filter((option) => row.takesArguments || !ARGUMENTS.includes(option.name));
  const options = [...general, ...ownOptions(row), ...OPTIONS.filter((option) => SERVER.includes(option.name))];
  return `Usage: mcp-inspect ${[name, row.words, 'SERVER'].filter(Boolean).join(' ')}

To ${row.help}, without a page: the result on stdout, everything else on stderr.
SERVER is -- command args…, a URL, --config FILE --server NAME, or --demo.
${examples.length > 0 ? `\nExamples:\n${columns(examples)}\n` : ''}
Options, in any order, before the --:
${columns(options.map((option) => [label(option), option.help]))}
${row.takesArguments ? ABOUT_ARGUMENTS : ''}
Without --timeout a request may be silent for 60 seconds.${name === 'raw' ? ' The whole answering line is printed.' : ''}

Exit codes:
${columns(CODES)}

A program that is called like this word: mcp-inspect -- ${name}
`;
}

const ARGUMENTS: readonly string[] = ['arg', 'args'];

const ABOUT_ARGUMENTS = `
--arg k=v is a string where the schema allows one or says nothing, else JSON: --arg n=5, --arg tags='["a"]'.
--arg k:=v is JSON whatever the schema says. Prompt arguments are strings, but for k:=v.
--json alone asks for exact results: the text that the server sent, every digit of it, and nothing else on
stdout; a protocol error leaves stdout empty. Followed by {…}, @FILE or - it gives the arguments.
`;

/** The code of each subcommand; one without does not compile. */
export const COMMANDS: { readonly [Name in SubcommandName]: Subcommand } = {
  list,
  call,
  read,
  prompt,
  forms,
  raw,
  doctor,
  verify,
};

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
    return printFailure(error, codeOf);
  }
}

async function runRequest(request: HeadlessRequest, version: string, home: string): Promise<ExitCode> {
  const action = await COMMANDS[request.name](request);
  const found = await findLaunch(request, home, action.connect?.protocol);
  const eras = new ServerEras(ownRecordingsFolder());
  const server = serverIdentity(found);
  // The doctor asks everything.
  const launch = { ...found, remembered: request.name === 'doctor' ? undefined : eras.read(server) };
  const out = terminalOutput(request.json);
  const signIns = new LoopbackSignIn(!process.env.CI, askToSignIn);
  const warning = insecureNote(launch);
  if (warning !== undefined) out.printNote('mcp-inspect', warning);
  const began = momentNow(systemClock);
  const recording = await beginRecording(request, launch, began, version);
  const notes = notesTap(out);
  const log = request.name === 'doctor' ? new (await import('./doctor')).DoctorLog() : undefined;
  const stray = new StrayOutput();
  const told = stray.tap(log ? log.tap(notes) : notes);
  const heard = frameTap(told, action.connect?.heard);
  const append = recording ? recording.tap(heard) : heard;
  const connection = newConnection(launch, request, version, {
    ...{ began, append, signIns, client: action.connect?.client },
    eraFound: (remembered) => eras.remember(server, remembered),
    secrets: secretsOf(recording, action.connect?.redactor),
  });
  action.connect?.redactor?.addGivenSecrets(launchSecrets(launch));
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= connection
      .close()
      .then(() => signIns.close())
      .then(() => recording?.end());
    return closed;
  };
  endOnSignals({ shutdown: close, hasServers: () => true, say: printNote, failureCode: EXIT.internal });
  try {
    const negotiated = await connection.open();
    return await action({ connection, negotiated, out, stray });
  } catch (error) {
    // By a signal, which has said so and decides about the exit code.
    if (connection.closing) return EXIT.internal;
    const look = (where: NearbyAddresses): Promise<void> => connection.lookFurther(where);
    if (log && isFailure(error) && (await log.printDiagnosis(out, look))) return EXIT.noConnection;
    return printFailure(stray.explain(error), codeOf);
  } finally {
    await close();
    const lines = stray.takeLines();
    if (lines) out.printNote('mcp-inspect', lines.message);
  }
}

/** Whoever takes secrets out is told of them. */
function secretsOf(
  recording: { learn(secrets: readonly string[]): void } | undefined,
  redactor: CaptureRedactor | undefined,
): ConnectionParts['secrets'] {
  if (!recording && !redactor) return undefined;
  return (secrets) => {
    recording?.learn(secrets);
    redactor?.addMaskedSecrets(secrets);
  };
}

/** What it takes is loaded only when a recording is asked for. */
async function beginRecording({ record }: HeadlessRequest, launch: Launch, { at }: Moment, version: string) {
  if (record === undefined) return undefined;
  const { recordingTap, startRecording } = await import('./record-traffic');
  const recording = startRecording(record, launch, at, version);
  return {
    tap: (next: TapHost['append']) => recordingTap(recording, next),
    learn: (secrets: readonly string[]) => recording.addSecrets(secrets),
    end: () => {
      const missing = recording.end();
      if (missing !== undefined) printNote(`mcp-inspect: ${missing}`);
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
  if ('wrong' in found) throw usageError(found.wrong);
  for (const sentence of found.notes) printNote(`mcp-inspect: ${sentence}`);
  const { shown } = found.chosen!;
  if (shown.problem !== undefined) throw new ExitError(EXIT.noConnection, shown.problem);
  const inputs = await askInputs(shown.inputs ?? [], { ask: terminalQuestions(), printNote });
  return resolveLaunch(
    { ...shown.target, base: shown.id, ...(inputs.length > 0 && { inputs }) },
    run.protocol === 'auto' ? protocol : shown.protocol,
    found.presets,
  );
}

interface ConnectionParts {
  readonly began: Moment;
  readonly append: TapHost['append'];
  readonly signIns: LoopbackSignIn;
  readonly client: ClientProfile | undefined;
  readonly secrets: ((values: readonly string[]) => void) | undefined;
  readonly eraFound: LiveHost['onEraFound'];
}

function newConnection(
  launch: Launch,
  { timeoutMs, run }: HeadlessRequest,
  version: string,
  { began, append, signIns, client, secrets, eraFound }: ConnectionParts,
): ServerConnection {
  const reaper = new Reaper();
  const clock = systemClock;
  const authorization = { store: new Credentials(), signIn: signIns };
  return new ServerConnection(launch, {
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
  printNote(`The server wants you to sign in at ${where}${what}. Open this address:\n${url}`);
}
