import { randomUUID } from 'node:crypto';
import type { UploadWords } from '@/features/recording-store';
import { UPLOADS } from '@/features/recording-stores';
import type { Credentials, SignIn, SignInCallbacks } from '@/lib/auth/credentials';
import type { Negotiated } from '@/lib/mcp/handshake';
import type { LiveHost } from '@/lib/mcp/live-connection';
import type { TapHost } from '@/lib/mcp/log-tap';
import { protocolOf } from '@/lib/mcp/versions';
import type { CaptureRedactor, SecretSink } from '@/lib/redact/capture-redactor';
import { RefusedError } from '@/lib/transports/transport';
import { type ClientProfile, readProfile } from '@/lib/wire/client-profile';
import { type Moment, momentNow, systemClock } from '@/lib/wire/clock';
import type { NearbyAddresses } from '@/lib/wire/command';
import { declares } from '@/lib/wire/declares';
import type { Frame } from '@/lib/wire/frame';
import { type Failure, isFailure, type ProtocolChoice } from '@/lib/wire/lifecycle';
import { LOG_LEVELS, type LogLevel } from '@/lib/wire/protocol-names';
import { choiceOf } from '@/proxy/cli/choice';
import { EXIT, type ExitCode, ExitError, printFailure, storeExitCode, usageError } from '@/proxy/cli/exit-code';
import { type CommandRequest, lastValue, type ParsedOptions, type RunCommand } from '@/proxy/cli/grammar';
import { type CommandOutput, printNote, terminalOutput } from '@/proxy/cli/output';
import { readRecord } from '@/proxy/cli/page-options';
import { buildPresets } from '@/proxy/cli/presets';
import { readSeconds } from '@/proxy/cli/seconds';
import { requireServer, type ServerOptions } from '@/proxy/cli/server-options';
import { endOnSignals } from '@/proxy/cli/signals';
import type { Status } from '@/proxy/cli/status-line';
import {
  insecureNote,
  type Launch,
  launchSecrets,
  type Preset,
  prepareLaunch,
  serverIdentity,
} from '@/proxy/connection/launch';
import { createTransport, lookFurther } from '@/proxy/connection/transports';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { LoopbackSignIn } from '@/proxy/http/loopback-sign-in';
import { ServerTelemetry } from '@/proxy/otel/server-telemetry';
import { silentVariables } from '@/proxy/otel/server-variables';
import { ownReaper } from '@/proxy/process/reaper';
import type { RecordingDetails } from '@/proxy/recorder/recorder';
import { ServerEras } from '@/proxy/recorder/server-eras';
import { type Asking, askInputs, terminalQuestions } from '../shared/ask-inputs';
import { givenRules } from '../shared/given-rules';
import { keptCredentials, NOBODY_SIGNS_IN, ONLY_READS } from '../shared/kept-credentials';
import { aroundServer } from '../shared/project-config';
import { type ClientOptions, readClientOptions, serverClient } from './client-options';
import { doctorHint } from './doctor-hint';
import { LateError } from './late-error';
import { NonMcpOutput } from './non-mcp-output';
import { RecentFrames } from './recent-frames';
import { type ServerClient, ServerConnection } from './server-connection';
import { notesTap } from './server-notes';

/** Milliseconds after a first line that is not MCP, without a connection, until that line is reported. */
const PATIENCE_MS = 1000;

/** A connected server, and where to write. */
export interface ConnectedServer {
  readonly connection: Pick<
    ServerConnection,
    | 'request'
    | 'followTask'
    | 'lookFurther'
    | 'sendAsHosts'
    | 'sendRaw'
    | 'sendText'
    | 'requestSeq'
    | 'notify'
    | 'untilStopped'
    | 'leftMs'
  >;
  /** undefined without a handshake. */
  readonly negotiated: Negotiated | undefined;
  readonly out: CommandOutput;
  /** Output of the server that is not MCP. */
  readonly stray: Pick<NonMcpOutput, 'takeLines'>;
  /** Returns an error of a request with the sentences of the doctor; another error as it is. */
  explain(error: unknown): Promise<unknown>;
}

/** Runs once the server is connected. `connect` has the settings of the connection that differ from the usual ones. */
export type CommandAction = ((server: ConnectedServer) => Promise<ExitCode>) & {
  readonly connect?: {
    /** Protocol version to use, unless the command line names another. */
    readonly protocol?: ProtocolChoice;
    readonly client?: ServerClient;
    /** Probes the server's era even if it is remembered. */
    readonly forgetsEra?: true;
    /** Sees every frame. */
    readonly onFrame?: (frame: Frame) => void;
    /** Never signs in with a person, and never registers a client. */
    readonly onlyReads?: boolean;
    /**
     * Reports a failed connection in its own way; false if it can't. `failure` has the sentences of the doctor, `cause`
     * those of the connection.
     */
    readonly explain?: (
      out: CommandOutput,
      look: (where: NearbyAddresses) => Promise<void>,
      failure: Failure,
      cause: Failure,
    ) => Promise<boolean>;
    /** Replaces stdout and stderr as the place for notes. */
    readonly out?: CommandOutput;
    /** Takes the error that ends the action, which is then not printed. */
    readonly onError?: (error: unknown) => ExitCode;
    /** Called on the first Ctrl-C. Returns true if the action then ends by itself. */
    readonly interrupt?: () => boolean;
    /** Gets the secrets given to the server and those masked in frames, before it gets any frame. */
    readonly redactor?: CaptureRedactor;
    /** Secrets that it sends, which are masked like those of the command line. */
    readonly secrets?: readonly string[];
    /** Id of the recording. */
    readonly recordingId?: string;
    /** Kind of writer in its header. Absent: `client`. */
    readonly mode?: RecordingDetails['mode'];
  };
};

/** Reads a request before any server starts. Throws an ExitError if it is invalid. */
type PrepareAction = (request: CommandRequest, status: Status) => Promise<CommandAction>;

/** A subcommand that connects to a server. */
export type ServerCommand = RunCommand & { readonly prepare: PrepareAction };

/** Options of a subcommand that connects to a server. */
export interface ServerCommandOptions {
  readonly options: ServerOptions;
  /** True to print exact results instead of text for people. */
  readonly json: boolean;
  readonly timeoutMs?: number;
  /** File for the recording. */
  readonly record?: string | undefined;
  /** The bucket for the recording. */
  readonly upload?: UploadWords | undefined;
  /** Exit code 3 if the recording is not uploaded. */
  readonly requiresUpload?: boolean;
  /** Called if it is not. */
  readonly onNotUploaded?: () => void;
  readonly client?: ClientOptions | undefined;
  readonly logLevel?: LogLevel;
  /** The sign-ins of this run, for all its connections. Absent: those of one connection. */
  readonly credentials?: Credentials;
  /** The receiver of spans: a URL, or `env`. Absent: none. */
  readonly otlp?: string;
  /** Nobody is there to sign in, and nothing is remembered for the next run. */
  readonly isUnattended?: true;
}

/** Reads the options that all subcommands that connect to a server share. Throws an ExitError. */
export function readServerRequest(
  request: CommandRequest,
  isProgram?: (word: string) => boolean,
): ServerCommandOptions {
  const { given } = request;
  const options = requireServer(request, isProgram);
  if ((given.get('record') ?? []).length > 1) throw usageError('`--record` is given twice: name one file.');
  const [timeout, record, otlp] = [lastValue(given, 'timeout'), readRecord(given), lastValue(given, 'otel.export')];
  const upload = UPLOADS?.read((name) => given.get(name));
  const requiresUpload = given.has('require-upload');
  if (requiresUpload && !upload) throw usageError('`--require-upload` needs a bucket: add `--to s3://BUCKET`.');
  if (options.otelAt && (record ?? otlp ?? upload) === undefined) printNote(`mcp-inspect: ${NOTHING_RECEIVES}`);
  return {
    options,
    json: given.has('json'),
    ...(timeout !== undefined && { timeoutMs: readSeconds('timeout', timeout) }),
    ...(record !== undefined && { record }),
    ...(otlp !== undefined && { otlp }),
    upload,
    requiresUpload,
    credentials: keptCredentials(options),
    ...readLogLevel(given),
  };
}

const NOTHING_RECEIVES =
  'Nothing receives at the address of `--otel receive`: add `--record FILE`, `--to` or `--otel export`.';

/** Makes a subcommand that connects to the server of its command line, runs its action, and ends the server. */
export function onServer(prepare: PrepareAction): ServerCommand {
  const run: RunCommand = async ({ request, version, home, status }) => {
    try {
      const server = {
        ...readServerRequest(request),
        client: await readClientOptions(request.given, request.command === 'tasks'),
      };
      return await runAction(await prepare(request, status), server, version, home);
    } catch (error) {
      return printFailure(error, exitCodeOf);
    }
  };
  return Object.assign(run, { prepare });
}

async function runAction(
  action: CommandAction,
  server: ServerCommandOptions,
  version: string,
  home: string,
): Promise<ExitCode> {
  const found = await findLaunch(server.options, home, action.connect?.protocol);
  return runOn(found, action, server, version, (close) => endWith(() => close(), action.connect?.interrupt));
}

/** Ends the servers by `shutdown` before this process, after a signal or an error of our own. */
export function endWith(shutdown: () => Promise<void>, interrupt?: () => boolean): void {
  endOnSignals({
    shutdown,
    hasServers: () => true,
    say: printNote,
    interrupt,
    failureCode: EXIT.internal,
    needsStdout: true,
  });
}

/** Starts a server, runs the action on it, and ends it. `onClose` gets a function that ends it before. */
export async function runOn(
  found: Launch,
  action: CommandAction,
  server: ServerCommandOptions,
  version: string,
  onClose: (close: () => Promise<void>) => void,
): Promise<ExitCode> {
  const {
    client: recorded,
    forgetsEra,
    onFrame,
    explain,
    onError,
    redactor,
    secrets,
    recordingId = randomUUID(),
    mode = 'client',
    out = terminalOutput(server.json),
    onlyReads = false,
  } = action.connect ?? {};
  const eras = server.isUnattended ? undefined : new ServerEras(ownRecordingsFolder());
  const identity = serverIdentity(found);
  const profile = profileOf(server, recorded);
  const protocol = protocolOf(found.protocol, profile);
  // A host has its own way to find out the era.
  const remembered = forgetsEra || profile.as !== undefined ? undefined : eras?.read(identity);
  const launch = { ...found, profile, protocol, remembered };
  const attended = !server.isUnattended && !onlyReads;
  const signIns = attended ? new LoopbackSignIn(!process.env.CI, askToSignIn) : undefined;
  const warning = insecureNote(launch);
  if (warning !== undefined) out.printNote('mcp-inspect', warning);
  const began = momentNow(systemClock);
  const exporting = await beginExport(server, launch, version, secrets, recordingId, out);
  const upload = server.upload && (await UPLOADS?.prepare(server.upload, server.record));
  const inFile = { ...server, record: upload?.record ?? server.record };
  const recording = await beginRecording(inFile, launch, began, version, secrets, { id: recordingId, mode });
  upload?.begin();
  let callOff = (): void => {};
  const stray = new NonMcpOutput({
    onFirst: () => {
      callOff();
      callOff = systemClock.after(PATIENCE_MS, () => {
        const lines = stray.takeLines();
        if (lines) out.printNote('mcp-inspect', `${lines.isTorn ? '' : 'No MCP response yet. '}${lines.message}`);
      });
    },
    awaits: (id) => connection.awaits(id),
    oldestOf: (method) => connection.oldestOf(method),
    onBrokenAnswer: (...answer) => void connection.onBrokenAnswer(...answer),
  });
  const recent = new RecentFrames();
  const append = recent.tap(stray.tap(notesTap(out, found.rules)), onFrame);
  const client =
    server.client &&
    serverClient(server.client, {
      printNote: (text) => out.printNote('mcp-inspect', text),
      logEvent: (event) => connection.logEvent(event),
      notify: (method, params) => {
        if (!connection.closing) connection.notify(method, params);
      },
    });
  const connection: ServerConnection = newConnection(launch, inFile, version, {
    began,
    signIns: onlyReads ? ONLY_READS : signIns,
    client: recorded ?? client,
    append: [recording, exporting].reduce((next, one) => (one ? one.tap(next) : next), append),
    onNothingAt: (url) =>
      out.printNote(
        'mcp-inspect',
        `No MCP response yet. The server may serve HTTP at ${url}, but no MCP server answers there.`,
      ),
    ...(eras && { eraFound: (remembered) => eras.remember(identity, remembered) }),
    secrets: secretsTo(recording?.secrets, exporting?.secrets, redactor),
  });
  redactor?.addGivenSecrets([...launchSecrets(launch), ...(secrets ?? [])]);
  let closed: Promise<void> | undefined;
  let isRecorded = true;
  const close = (): Promise<void> => {
    out.status.end();
    closed ??= connection
      .close()
      .then(() => signIns?.close())
      .then(() => Promise.all([recording?.end(), exporting?.end()]))
      .then(([isWhole = true]) => {
        isRecorded = isWhole;
      });
    return closed;
  };
  onClose(close);
  const explainedBy = async (error: unknown) => {
    // Loaded here because only a failure needs it.
    const { explainFailure } = await import('./explain-failure');
    return explainFailure(error, recent.parts);
  };
  let code: ExitCode;
  let isOpen = false;
  try {
    out.status.show('Connecting… Ctrl-C cancels');
    const negotiated = await connection.open().finally(() => callOff());
    isOpen = true;
    out.status.end();
    if (negotiated && mayBeRefused(recent.parts.first)) {
      const { refusedStartIn } = await import('./explain-failure');
      for (const { message } of explain ? [] : refusedStartIn(recent.parts)) out.printNote('mcp-inspect', message);
    }
    if (server.logLevel && negotiated && !declares(negotiated.capabilities, ['logging']))
      out.printNote('mcp-inspect', NO_LOGGING);
    const connected = { connection, negotiated, out, stray };
    code = await action({ ...connected, explain: async (error) => (await explainedBy(error))?.error ?? error });
  } catch (error) {
    // A signal ended the connection. The signal’s handler has printed that, and sets the exit code.
    if (connection.closing) return EXIT.internal;
    // Bodies that the server never finished are logged only when the connection closes.
    if (error instanceof LateError) await close();
    const look = (where: NearbyAddresses): Promise<void> => connection.lookFurther(where);
    const explained = await explainedBy(error);
    if (onError) return onError(explained?.error ?? error);
    // Told once is enough.
    if (explained?.tellsPrinted) stray.takeLines();
    if (explained && (await explain?.(out, look, explained.failure, explained.cause))) {
      if (explained.error instanceof ExitError) return explained.error.exitCode;
      return isOpen ? lostExitCode(error) : EXIT.noConnection;
    }
    code = printFailure(explained?.error ?? error, (failure) => (isOpen ? lostExitCode(error) : exitCodeOf(failure)));
    // The doctor repeats the handshake, which works.
    const hint = explained && !isOpen ? doctorHint(launch, server.options) : undefined;
    if (hint !== undefined) out.printNote('mcp-inspect', hint);
  } finally {
    await close();
    const lines = stray.takeLines();
    if (lines) out.printNote('mcp-inspect', lines.message);
  }
  if (upload && !(await upload.run(out, version))) {
    server.onNotUploaded?.();
    if (server.requiresUpload) return EXIT.noConnection;
  }
  // A script that reads only the exit code must not take a part of a recording for the whole.
  return code === EXIT.fine && !isRecorded ? EXIT.internal : code;
}

/** How a frame of HTTP says that a response of the handshake was a refusal, in our own JSON. */
const REFUSED = /^\{"kind":"response","exchange":\d+,"status":[45]/;

function mayBeRefused(frames: readonly Frame[]): boolean {
  return frames.some(({ channel, bytes }) => channel === 'http' && REFUSED.test(decoder.decode(bytes.subarray(0, 60))));
}

const decoder = new TextDecoder();

const NO_LOGGING = 'The server declares no `logging`, so `--log-level` may have no effect.';
/** Returns the profile for the log. Without options, a subcommand declares no capabilities. */
function profileOf({ client }: ServerCommandOptions, recorded: ServerClient | undefined): ClientProfile {
  if (!recorded) return client?.profile ?? { capabilities: {} };
  const { capabilities } = recorded;
  return readProfile({ profile: { capabilities: typeof capabilities === 'function' ? {} : capabilities } });
}

/** Passes secrets to the recording and to the redactor of the action. */
function secretsTo(...sinks: readonly (SecretSink | undefined)[]): SecretSink {
  return {
    addGivenSecrets: (values) => {
      for (const sink of sinks) sink?.addGivenSecrets(values);
    },
    addMaskedSecrets: (values) => {
      for (const sink of sinks) sink?.addMaskedSecrets(values);
    },
  };
}

/** Loads the exporter only when it is asked for. */
async function beginExport(
  { otlp, record }: ServerCommandOptions,
  launch: Launch,
  version: string,
  given: readonly string[] = [],
  id: string,
  out: CommandOutput,
) {
  if (otlp === undefined) return undefined;
  const { LiveExport } = await import('../export/live-export');
  return new LiveExport({
    otlp,
    version,
    secrets: [...launchSecrets(launch), ...given],
    ...(record !== undefined && { recording: { id, path: record } }),
    note: (sentence) => out.printNote('mcp-inspect', sentence),
  });
}

/** Loads the recorder only when a recording is asked for. */
async function beginRecording(
  { record }: ServerCommandOptions,
  launch: Launch,
  { at }: Moment,
  version: string,
  given: readonly string[] | undefined,
  about: Pick<RecordingDetails, 'id' | 'mode'>,
) {
  if (record === undefined) return undefined;
  const { startRecording } = await import('./record-traffic');
  const recording = startRecording(record, launch, at, version, given, about);
  return {
    tap: (next: TapHost['append']) => recording.tap(next),
    secrets: recording.secrets,
    /** Resolves with true if the recording is whole. */
    end: async () => {
      const missing = await recording.end();
      if (missing !== undefined) printNote(`mcp-inspect: ${missing}`);
      return missing === undefined;
    },
  };
}

/**
 * Finds the server and asks for its inputs. Uses `protocol` unless the command line names another. Asks about a server
 * in a project’s config unless `isTrusted`. Rejects with an ExitError.
 */
export async function findLaunch(
  options: ServerOptions,
  home: string,
  protocol: ProtocolChoice = 'auto',
  asking: Asking = { ask: terminalQuestions(), printNote },
  isTrusted = false,
): Promise<Launch> {
  const found = await buildPresets(options, aroundServer(options, home, isTrusted ? undefined : asking));
  if ('wrong' in found) throw usageError(found.wrong);
  for (const sentence of found.notes) asking.printNote(`mcp-inspect: ${sentence}`);
  if (!found.chosen) throw usageError(severalServers(options, found.presets));
  const { shown } = found.chosen;
  if (shown.problem !== undefined) throw new ExitError(EXIT.noConnection, shown.problem);
  const inputs = await askInputs(shown.inputs ?? [], asking);
  const launch = await prepareLaunch(
    { ...shown.target, base: shown.id, ...(inputs.length > 0 && { inputs }) },
    options.protocol === 'auto' ? protocol : shown.protocol,
    found.presets,
  );
  return { ...launch, ...(await givenRules(options)) };
}

function severalServers({ config }: ServerOptions, presets: readonly Preset[]): string {
  const names = presets.flatMap(({ shown }) => (shown.origin === 'config' ? [`\`${shown.target.name}\``] : []));
  return `\`${config}\` has several servers: choose one with \`--server NAME\`, of ${names.join(', ')}.`;
}

interface ConnectionParts {
  readonly began: Moment;
  readonly append: TapHost['append'];
  readonly signIns: SignInCallbacks | undefined;
  readonly client: ServerClient | undefined;
  readonly secrets: SecretSink;
  readonly eraFound?: LiveHost['onEraFound'];
  readonly onNothingAt: (url: string) => void;
}

function newConnection(
  launch: Launch,
  { timeoutMs, options, logLevel, record, otlp, credentials }: ServerCommandOptions,
  version: string,
  { began, append, signIns, client, secrets, eraFound, onNothingAt }: ConnectionParts,
): ServerConnection {
  const clock = systemClock;
  const needsNobody = launch.transport !== 'stdio' && launch.client.grant !== undefined;
  const signIn = signIns ?? (needsNobody ? NOBODY_SIGNS_IN : undefined);
  const authorization = signIn && { store: credentials ?? keptCredentials(options), signIn };
  // Nobody would see it without a recording or an export.
  const isSeen = record !== undefined || otlp !== undefined;
  const telemetry = options.otel && isSeen ? ServerTelemetry.of(launch, options.otelAt) : undefined;
  if (telemetry) secrets.addGivenSecrets(telemetry.secrets);
  const isSilent = options.otel && !isSeen && launch.transport === 'stdio';
  const silent = isSilent ? silentVariables(launch.env) : {};
  return new ServerConnection(launch, {
    clock,
    began,
    onNothingAt,
    version,
    timeoutMs,
    append,
    eraFound,
    ...(client && { client }),
    logLevel,
    secrets,
    telemetry,
    traced: telemetry !== undefined || otlp !== undefined,
    openTransport: (launched, sink) =>
      createTransport(launched, {
        sink,
        lateVariables: () => telemetry?.variables ?? silent,
        clock,
        reaper: ownReaper,
        version,
        allowLinkLocal: options.allowLinkLocal,
        ...(authorization && { authorization }),
      }),
    lookFurther: (launched, where, sink, signal) =>
      lookFurther(launched, where, { sink, clock, version, allowLinkLocal: options.allowLinkLocal }, signal),
  });
}

function readLogLevel(given: ParsedOptions): { readonly logLevel?: LogLevel } {
  const text = lastValue(given, 'log-level');
  if (text === undefined) return {};
  if (lastValue(given, 'protocol') === 'none') {
    throw usageError('`--protocol none` sends nothing by itself, so `--log-level` has no effect: remove one of them.');
  }
  return { logLevel: choiceOf('--log-level', text, LOG_LEVELS) };
}

export function exitCodeOf(failure: Failure): ExitCode {
  return storeExitCode(failure) ?? (failure.code === 'handshake-timeout' ? EXIT.timeout : EXIT.noConnection);
}

/** Returns the exit code of an error after the handshake: an error of HTTP comes from a server that was reached. */
export function lostExitCode(error: unknown): ExitCode {
  if (error instanceof RefusedError) return EXIT.serverError;
  return isFailure(error) ? exitCodeOf(error) : EXIT.noConnection;
}

/** Prints the address to sign in at. A person opens it, since mcp-inspect opens no address that a server names. */
function askToSignIn({ url, issuer, scopes }: SignIn): void {
  const what = scopes.length === 0 ? '' : ` for ${scopes.join(' ')}`;
  const [host, by] = [new URL(url).host, new URL(issuer).host];
  const where = host === by ? host : `${host} (on behalf of ${by})`;
  printNote(`The server wants you to sign in at ${where}${what}. Open this address:\n${url}`);
}
