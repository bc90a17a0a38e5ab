import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FEATURES } from '@/features/features';
import { UPLOADS } from '@/features/recording-stores';
import type { RuleSet } from '@/lib/mcp/message-interceptor';
import { ConnectionError } from '@/lib/transports/transport';
import { systemClock } from '@/lib/wire/clock';
import { progressText } from '@/lib/wire/format';
import type { EnvironmentNames } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import { printNote } from '@/proxy/cli/output';
import { type PageOptions, readPageOptions } from '@/proxy/cli/page-options';
import { plainText } from '@/proxy/cli/plain-text';
import { buildPresets } from '@/proxy/cli/presets';
import { readServerOptions, type ServerOptions } from '@/proxy/cli/server-options';
import { endOnSignals } from '@/proxy/cli/signals';
import type { Status } from '@/proxy/cli/status-line';
import { TerminalLines } from '@/proxy/cli/terminal-lines';
import { CommandConfirmation } from '@/proxy/connection/command-confirmation';
import { insecureNote, type Preset } from '@/proxy/connection/launch';
import { createTransport, lookFurther } from '@/proxy/connection/transports';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { callsRoutes, logRoute, recordingRoutes, serversRoute, settingsRoutes } from '@/proxy/http/api-routes';
import { StartError } from '@/proxy/http/listen';
import { PendingSignIns } from '@/proxy/http/pending-sign-ins';
import { type RunningServer, startServer } from '@/proxy/http/server';
import { callbackRoute } from '@/proxy/http/sign-in-callback';
import type { PageExport } from '@/proxy/otel/page-export';
import { ServerTelemetry } from '@/proxy/otel/server-telemetry';
import { serverEnvironment } from '@/proxy/process/environment';
import { openUrl } from '@/proxy/process/open-url';
import { Reaper } from '@/proxy/process/reaper';
import { KeptRecordings } from '@/proxy/recorder/kept-recordings';
import { openErrorText, openFile } from '@/proxy/recorder/open-file';
import { Recorder } from '@/proxy/recorder/recorder';
import type { RecordingUploads } from '@/proxy/recorder/recording-uploads';
import { SavedCallsFile } from '@/proxy/recorder/saved-calls-file';
import { ServerEras } from '@/proxy/recorder/server-eras';
import { SettingsFile } from '@/proxy/recorder/settings-file';
import { StandingAnswersFile } from '@/proxy/recorder/standing-answers-file';
import { ownContext } from '@/proxy/servers/discovery';
import { ServerList } from '@/proxy/servers/server-list';
import { isAttended } from '../shared/ask-inputs';
import { atTerminal } from '../shared/consent';
import { readFrames } from '../shared/frame-range';
import { givenRules } from '../shared/given-rules';
import { keptCredentials } from '../shared/kept-credentials';
import { aroundServer } from '../shared/project-config';
import { bundleRoute } from './page-bundles';
import { PageHub } from './page-hub';
import type { PageCore, PagePart } from './page-part';

/** The port tried first. It is not registered with IANA, and the official inspector uses another. */
const DEFAULT_PORT = 6270;

/** Recordings that the page opens at its start, and those that it lists. */
export interface OpenedAtStart {
  /** Recordings in their order. Without `path`, `shown` is the address of one in a store. */
  readonly files: readonly { readonly shown: string; readonly path?: string }[];
  /** The address whose recordings the page lists. */
  readonly from?: string;
}

/** Runs the page until a signal ends it. */
export async function run(
  { request, version, home, status }: CommandContext,
  opening: OpenedAtStart = { files: [] },
): Promise<ExitCode> {
  const [server, page] = [readServerOptions(request), readPageOptions(request.given)];
  const found = await buildPresets(server, aroundServer(server, home, atTerminal()));
  if ('wrong' in found) throw usageError(found.wrong);
  for (const sentence of found.notes) printNote(sentence);

  const signIns = new PendingSignIns();
  if (page.record !== undefined && existsSync(page.record)) {
    throw usageError(`\`${page.record}\` already exists: name a new file after \`--record\`.`);
  }
  const servers = new ServerList({
    folder: ownRecordingsFolder(),
    given: found.presets,
    context: ownContext(),
    remembers: !page.noRecord,
  });
  const terminal = process.stdin.isTTY ? new TerminalLines(process.stderr) : undefined;
  const confirmation = page.confirmCommands
    ? new CommandConfirmation({
        given: found.presets,
        ask: terminal && isAttended() ? (question) => terminal.ask(question) : undefined,
        onWaiting: (commands) => hub.showConfirming(commands),
      })
    : undefined;
  if (page.watch.on && !found.chosen) throw usageError('`--watch` needs a server: end with its command or URL.');
  const words = UPLOADS?.read((name) => request.given.get(name));
  const uploads = await UPLOADS?.startInPage(ownRecordingsFolder(), words);
  const recorder = page.noRecord ? undefined : createRecorder(version, page.record, uploads);
  const { rules } = await givenRules(server);
  const exporter = await createExporter(page.otlp, version);
  const features: PagePart[] = [];
  const parts = { servers, features, recorder, rules, exporter };
  const hub = createHub(parts, version, { ...server, ...page }, signIns, confirmation);
  const core: PageCore = {
    hub,
    version,
    home,
    recorder,
    confirmation,
    allowLinkLocal: server.allowLinkLocal,
    printNote,
    given: request.given,
    listed: opening.from,
  };
  const frame = readFrame(request, opening);
  features.push(...(await loadFeatures(core)));
  const opened = await openRecordings({ hub, features, files: opening.files, frame, status });
  const query = frame === undefined ? '' : frameQuery(opened[0]!, frame, opening.files[0]!.shown);
  const running = await listen(page, { hub, servers, features }, home, signIns);
  signIns.setRoot(running.pageUrl);
  terminal?.read(process.stdin, () => print(running.newLaunchLink()));
  const fail = endOnSignals({
    shutdown: async () => {
      await Promise.all(features.map((part) => part.close()));
      await hub.shutdown();
      uploads?.finish();
      await servers.written;
      await running.close();
    },
    hasServers: () =>
      features.some((part) => part.isRunning?.()) ||
      hub.connections().some(({ state, recording }) => !recording && state !== 'closed' && state !== 'failed'),
    waitsFor: () => hub.waitsFor(),
    say: printNote,
    failureCode: 1,
  });

  try {
    await offerPage(running, page, version, query);
    if (found.chosen) await connect(hub, found.chosen, page.watch.on);
    // After the given server, which the page shows first.
    for (const part of features) part.start?.();
  } catch (error) {
    // An error thrown to main.ts would leave the page and its servers running.
    fail(error);
  }
  return EXIT.fine;
}

/** Loads the parts of the features. One that can't be loaded is left out, and named in the terminal. */
async function loadFeatures(core: PageCore): Promise<readonly PagePart[]> {
  const loaded = FEATURES.map(async ({ name, serve }) => {
    try {
      return (await serve?.())?.serve(core);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      core.printNote(`The page works without \`${name}\`, because its code could not be loaded: ${why}`);
      return undefined;
    }
  });
  return (await Promise.all(loaded)).filter((part) => part !== undefined);
}

/** Prints the link, and opens the browser. `query` says what the page shows first. */
async function offerPage(running: RunningServer, page: PageOptions, version: string, query: string): Promise<void> {
  const link = running.newLaunchLink(query);
  const listening = running.pageUrl === running.url ? '' : `Listening on ${running.url}\n`;
  print(`mcp-inspect ${version}\n${listening}${link}`);
  if (running.movedFrom !== undefined) print(`Port ${running.movedFrom} is taken, so the page is on ${running.port}.`);
  await invite(link, page, process.stdin.isTTY);
}

/** A recording that was opened. */
interface Opened {
  /** Id of its connection. */
  readonly id: string;
  /** Number of its last frame. Absent if it is read in parts, from a store. */
  readonly last?: number;
}

/** Opens the recordings of `open`, in order, and resolves with them. Throws an ExitError if one can't be opened. */
async function openRecordings({
  hub,
  features,
  files,
  frame = 1,
  status,
}: {
  readonly hub: PageHub;
  readonly features: readonly PagePart[];
  readonly files: OpenedAtStart['files'];
  readonly frame: number | undefined;
  readonly status: Status;
}): Promise<readonly Opened[]> {
  const opened: Opened[] = [];
  for (const { shown: file, path } of files) {
    status.show(`Opening ${file}`);
    const onOpening = (progress: ReadingProgress) => status.show(`Opening ${file}: ${progressText(progress)}`);
    try {
      if (path === undefined) {
        const openAt = features.map((part) => part.openAt).find(Boolean);
        if (!openAt) throw new ConnectionError(NOT_LOADED);
        opened.push({ id: await openAt(file, frame) });
      } else {
        const { id, log } = await hub.openFile(await openFile(path), onOpening);
        opened.push({ id, last: log.last });
      }
      status.end();
    } catch (error) {
      throw usageError(`\`${file}\` can’t be opened. ${openErrorText(error, 'after `open`')}`);
    }
  }
  return opened;
}

const NOT_LOADED = {
  code: 'not-loaded',
  message: 'The code that reads this address could not be loaded.',
  advice: 'Install mcp-inspect again.',
};

/** Reads the first frame of `--frames`, which the page shows. Throws an ExitError. */
function readFrame({ given }: CommandContext['request'], { files }: OpenedAtStart): number | undefined {
  const { from, to } = readFrames(given);
  const first = from ?? (to === undefined ? undefined : 1);
  if (first !== undefined && files.length !== 1) throw usageError('`--frames` is about one recording: name one file.');
  return first;
}

/** Returns the query of the page that shows a frame. Throws an ExitError if there is none with this number. */
function frameQuery({ id, last }: Opened, frame: number, file: string): string {
  if (last === undefined || frame <= last) return `?connection=${id}&frame=${frame}`;
  throw usageError(`\`${file}\` has no frame ${frame}: its last one is ${last}.`);
}

function createHub(
  {
    servers,
    features,
    recorder,
    rules,
    exporter,
  }: {
    readonly servers: ServerList;
    readonly features: readonly PagePart[];
    readonly recorder: Recorder | undefined;
    readonly rules: readonly RuleSet[] | undefined;
    readonly exporter: PageExport | undefined;
  },
  version: string,
  { keepMs, allowLinkLocal, keepSignIns, watch, otel, otelAt }: ServerOptions & PageOptions,
  signIns: PendingSignIns,
  confirmation: CommandConfirmation | undefined,
): PageHub {
  const reaper = new Reaper();
  const clock = systemClock;
  const credentials = keptCredentials({ keepSignIns });
  const authorization = { store: credentials, signIn: signIns };
  const hubOptions: ConstructorParameters<typeof PageHub>[1] = {
    clock,
    version,
    get presets() {
      return servers.presets;
    },
    remember: (use) => servers.remember(use),
    graceMs: keepMs,
    ...(recorder && { recorder }),
    ...(rules && { rules }),
    ...(exporter && { exporter }),
    further: {
      get: (id) => features.map((part) => part.logOf?.(id)).find(Boolean),
      inboxChanged: (connection) => {
        for (const part of features) part.inboxChanged?.(connection);
      },
      forgotten: (id) => {
        for (const part of features) part.forgotten?.(id);
      },
    },
    credentials,
    eras: new ServerEras(ownRecordingsFolder()),
    standing: new StandingAnswersFile(ownRecordingsFolder()),
    ...(confirmation && {
      confirm: (launch, target) => confirmation.confirm(launch, target),
      confirmSecretFiles: (launch, target) => confirmation.confirmSecretFiles(launch, target),
    }),
    openTransport: (launch, sink, telemetry) =>
      createTransport(launch, {
        sink,
        clock,
        reaper,
        version,
        allowLinkLocal,
        authorization,
        lateVariables: () => telemetry?.variables ?? {},
      }),
    ...(otel && { telemetryOf: (launch) => ServerTelemetry.of(launch, otelAt) }),
    lookFurther: (launch, where, sink, signal) =>
      lookFurther(launch, where, { sink, clock, version, allowLinkLocal }, signal),
  };
  return new PageHub(printNote, hubOptions, {
    reaper,
    allowLinkLocal,
    given: watch,
    get afterSave() {
      const parts = features.filter((part) => part.afterSave);
      if (parts.length === 0) return undefined;
      return async (...saved: Parameters<NonNullable<PagePart['afterSave']>>) => {
        for (const part of parts) await part.afterSave?.(...saved);
      };
    },
    ...(confirmation && { confirm: (launch) => confirmation.confirmWatch(launch) }),
  });
}

/** Loads the exporter only when it is asked for. Throws an ExitError. */
async function createExporter(otlp: string | undefined, version: string): Promise<PageExport | undefined> {
  if (otlp === undefined) return undefined;
  const [{ PageExport }, { otlpSettings }] = await Promise.all([
    import('@/proxy/otel/page-export'),
    import('../export/live-export'),
  ]);
  const settings = otlpSettings(otlp);
  printNote(`Spans of all connections go to ${settings.shown}`);
  return new PageExport(settings, { version, note: printNote });
}

function createRecorder(version: string, first: string | undefined, uploads: RecordingUploads | undefined): Recorder {
  const folder = ownRecordingsFolder();
  const named = first !== undefined && { first: resolve(first) };
  const options = { clock: systemClock, version, folder, uploads, ...named };
  const recorder = new Recorder(options);
  recorder.deleteExpired();
  return recorder;
}

function inheritedNames(policy: EnvironmentNames['policy']): readonly string[] {
  return serverEnvironment({ policy, own: process.env, extras: {} }).names.inherited;
}

/** Starts the page's server. Throws an ExitError if it can't listen. */
async function listen(
  { host, hostNames, publicUrl, port, noRecord }: PageOptions,
  {
    hub,
    servers,
    features,
  }: {
    readonly hub: PageHub;
    readonly servers: ServerList;
    readonly features: readonly PagePart[];
  },
  home: string,
  signIns: PendingSignIns,
): Promise<RunningServer> {
  const started = startServer({
    host: host ?? '127.0.0.1',
    hostNames,
    publicUrl,
    port: port ?? DEFAULT_PORT,
    portFixed: port !== undefined,
    uiRoot: join(home, 'ui'),
    api: {
      connections: () => hub.connections(),
      servers: () => servers.list(),
      environment: () => ({
        cwd: process.cwd(),
        platform: process.platform,
        allowlist: inheritedNames('allowlist'),
        shell: inheritedNames('shell'),
        redirectUri: signIns.address ?? '',
        tabs: features.flatMap(({ tabs = [] }) => tabs),
      }),
    },
    routes: [
      callbackRoute(signIns),
      ...callsRoutes(
        new SavedCallsFile({
          folder: ownRecordingsFolder(),
          remembers: !noRecord,
          redact: (text) => hub.redactedText(text),
        }),
      ),
      ...features.flatMap(({ routes }) => routes),
      ...settingsRoutes(new SettingsFile(ownRecordingsFolder())),
      serversRoute((change) => servers.change(change)),
      bundleRoute(),
      logRoute((id, frames) => hub.redactedLog(id, frames)),
      ...recordingRoutes(
        new KeptRecordings(ownRecordingsFolder(), !noRecord),
        async (file) => (await hub.openFile(file)).id,
      ),
    ],
    clock: systemClock,
    onSocket: (socket, wire) => hub.accept(socket, wire),
    terminal: printNote,
  });
  return started.catch((error) => {
    throw error instanceof StartError ? usageError(`${error.message} ${error.advice}`) : error;
  });
}

/** Opens the browser, or prints how to open the page. */
async function invite(link: string, { open }: PageOptions, hasTerminal: boolean): Promise<void> {
  const opened = open && !process.env.CI && (await openUrl(link, process.platform, process.env));
  const seconds = LIMITS.launchCodeMs / 1000;
  const first = opened ? 'Opening the page in your browser.' : `Open this link. It works once, within ${seconds} s.`;
  print(`${first} ${hasTerminal ? `Press Enter for another${opened ? ' link' : ''}, ` : ''}Ctrl-C to end.`);
}

async function connect(hub: PageHub, { shown }: Preset, watches: boolean): Promise<void> {
  if (shown.problem !== undefined) {
    printNote(shown.problem);
    return;
  }
  if (shown.inputs) {
    const asked = shown.inputs.map(({ id }) => `\`${id}\``).join(', ');
    printNote(`The config asks for ${asked}. Answer on the page, or start again with \`--input NAME=VALUE\`.`);
    return;
  }
  try {
    const { launch } = await hub.connectFirst({ ...shown.target, base: shown.id }, shown.protocol);
    const warning = insecureNote(launch);
    if (warning !== undefined) printNote(warning);
    if (watches) await hub.watchFirst();
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    printNote(`${error.message} ${error.advice}`);
  }
}

function print(text: string): void {
  process.stdout.write(`${plainText(text)}\n`);
}
