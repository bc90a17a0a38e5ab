import type { AskNearby, LookReport } from '@/features/feature';
import { FEATURES } from '@/features/features';
import { httpProxyOf } from '@/lib/doctor/attempt-facts';
import { type ConnectionHint, connectionHints, streamRequestOf } from '@/lib/doctor/connection-hints';
import { diagnose, passedSteps } from '@/lib/doctor/diagnose';
import { type Diagnosis, diagnosisText, type Step, stepLines } from '@/lib/doctor/diagnosis';
import { exchangesOf } from '@/lib/doctor/exchange-facts';
import type { Evidence } from '@/lib/doctor/finding';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { LISTINGS } from '@/lib/protocol/methods';
import { Log } from '@/lib/store/log';
import { systemClock } from '@/lib/wire/clock';
import { mayHaveLists } from '@/lib/wire/declares';
import { formatDuration } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import type { CommandOutput } from '@/proxy/cli/output';
import { capabilityFaults } from '../headless/capability-faults';
import { type CommandAction, type ConnectedServer, onServer } from '../headless/on-server';
import { shownPages } from '../headless/results';
import { errorSentence } from '../headless/server-connection';
import { readForHosts } from '../shared/for-hosts';
import { HostReport } from './host-report';
import { timeRoundTrip, versionsIn } from './round-trip';

/** Milliseconds that the server has to answer the GET for its own messages, after the list. */
const STREAM_MS = 1000;

/**
 * Reports the steps of a connection, its protocol, what the server supports, its first list, a round trip, the Server
 * Card of a URL and the server’s non-MCP output, or why the connection failed. Changes nothing: without
 * `--auth sign-in` it registers no client.
 */
export const run = onServer(async ({ given }) => {
  const log = new Log('doctor');
  const stream = new StreamAnswer(log);
  const forHosts = await readForHosts(given);
  const isMarkdown = given.has('markdown');
  if (isMarkdown && !forHosts)
    throw usageError('`--markdown` prints what hosts need: add `--for`, such as `--for claude.ai`.');
  const hosts = forHosts && new HostReport(log, forHosts, isMarkdown);
  return Object.assign((server: ConnectedServer) => reportConnected(server, log, stream, hosts), {
    connect: {
      // A diagnosis needs every step, so the era is probed even if it is remembered.
      forgetsEra: true,
      onlyReads: !given.has('auth.sign-in'),
      onFrame: (frame) => {
        log.append([frame]);
        stream.onFrame();
      },
      explain: (out, look, _failure, cause) => printDiagnosis(log, out, look, cause, hosts),
    },
  } satisfies Pick<CommandAction, 'connect'>);
});

/** Waits for the answer to the GET with which a legacy client opens the stream of the server's own messages. */
class StreamAnswer {
  readonly #log: Log;
  #answered: (() => void) | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  onFrame(): void {
    if (this.#answered && streamRequestOf(this.#log) === undefined) this.#answered();
  }

  /** Resolves when it is answered, or after {@link STREAM_MS} or `leftMs`. */
  async wait(leftMs: number): Promise<void> {
    if (streamRequestOf(this.#log) === undefined) return;
    await new Promise<void>((resolve) => {
      const callOff = systemClock.after(Math.min(STREAM_MS, Math.max(leftMs, 0)), resolve);
      this.#answered = () => {
        callOff();
        resolve();
      };
    });
  }
}

async function reportConnected(
  server: ConnectedServer,
  log: Log,
  stream: StreamAnswer,
  hosts: HostReport | undefined,
): Promise<ExitCode> {
  const { connection, negotiated, out, stray } = server;
  // There always was a handshake, because `doctor` refuses `--protocol none`.
  const { version, versionFault, era, serverInfo, capabilities, instructions } = negotiated!;
  const list = await readFirstList(server);
  await stream.wait(connection.leftMs);
  const steps = passedSteps(log).map(withoutSeqs);
  const hints = connectionHints(log);
  const roundTrip = await timeRoundTrip(server);
  const looks = await lookAt(
    log,
    (where) => connection.lookFurther(where),
    async () => {
      for await (const page of shownPages(server, 'tools/list')) if (page.kind === 'error') break;
    },
  );
  await hosts?.explore(server);
  const lines = stray.takeLines();
  const findings: readonly ConnectionHint[] = [
    ...(versionFault === undefined
      ? []
      : [{ code: 'version-missing', message: `${versionFault} mcp-inspect goes on with ${version}.` }]),
    ...capabilityFaults(negotiated!).map((message) => ({ code: 'capability-not-object', message })),
    ...(list.problem === undefined ? [] : [{ code: 'list-failed', message: list.problem }]),
    ...(roundTrip.problem === undefined ? [] : [{ code: 'round-trip-failed', message: roundTrip.problem }]),
    ...hints,
    ...(lines ? [{ code: 'not-mcp', ...lines }] : []),
  ];
  const [httpProxy, versions] = [httpProxyOf(log), versionsIn(roundTrip)];
  const { method, ms } = roundTrip;
  if (out.json) {
    const about = { ...(serverInfo && { serverInfo }), capabilities, ...(versions && { versions }), instructions };
    const facts = {
      ...about,
      steps,
      ...(httpProxy && { httpProxy }),
      roundTrip: { method, ms },
      ...valuesOf(looks),
      findings,
    };
    out.printExact(JSON.stringify({ code: 'connected', version, era, ...facts, ...hosts?.json }));
  } else if (hosts?.isAlone) hosts.print(out);
  else {
    const read = list.method === undefined || list.problem !== undefined ? '' : ` ${list.method} works.`;
    out.printText(`Connected: protocol ${version}${versionFault ? ' (assumed)' : ''}, ${era} era.${read}`);
    out.printText(`Server: ${nameOf(serverInfo)}`);
    out.printText(`Supports: ${supported(capabilities)}`);
    if (versions) out.printText(`Versions: ${versions.join(', ')}`);
    if (ms !== undefined) out.printText(`Round trip: ${formatDuration(ms * 1000)} (${method})`);
    if (httpProxy) out.printText(`Through the HTTP proxy ${httpProxy.url}, from ${httpProxy.variable}.`);
    for (const [, look] of looks) look.print(out);
    if (steps.length > 0) out.printText(['', ...stepLines(steps)].join('\n'));
    hosts?.print(out);
  }
  for (const { message } of findings) out.printNote('mcp-inspect', message);
  const isFine =
    list.problem === undefined &&
    roundTrip.problem === undefined &&
    !looks.some(([, { isWrong }]) => isWrong) &&
    !hosts?.isFailing;
  return isFine ? EXIT.fine : EXIT.serverError;
}

/** The reports of features, with their keys. */
type Looks = readonly (readonly [key: string, report: LookReport])[];

/** Looks further, as the features do. */
async function lookAt(log: Log, ask: AskNearby, readTools?: () => Promise<void>): Promise<Looks> {
  const found: [string, LookReport][] = [];
  for (const { key, load } of FEATURES.flatMap(({ looks = [] }) => looks)) {
    const report = await (await load()).look(log, ask, readTools);
    if (report) found.push([key, report]);
  }
  return found;
}

function valuesOf(looks: Looks): JsonObject {
  return Object.fromEntries(looks.map(([key, { value }]) => [key, value]));
}

function nameOf(serverInfo: JsonObject | undefined): string {
  const [name, version] = ['name', 'version'].map((key) => serverInfo && own(serverInfo, key));
  if (typeof name !== 'string') return 'without a name';
  return typeof version === 'string' ? `${name} ${version}` : name;
}

/** Formats capabilities with their parts: `tools (listChanged), logging`. */
function supported(capabilities: JsonObject): string {
  const names = Object.entries(capabilities).map(([name, value]) => {
    const parts = isObject(value) ? Object.keys(value).filter((part) => value[part] !== false) : [];
    return parts.length === 0 ? name : `${name} (${parts.join(', ')})`;
  });
  return names.join(', ') || 'nothing';
}

/** Reads the first page of the first list that the server declares. Rejects with a failure of the connection. */
async function readFirstList({ connection, negotiated }: ConnectedServer): Promise<{
  readonly method?: string;
  readonly problem?: string;
}> {
  const declared = LISTINGS.find(([, { capability }]) => mayHaveLists(negotiated!, capability));
  if (!declared) return {};
  const [method, { items }] = declared;
  const answer = await connection.request(method);
  if (answer.kind === 'error') return { method, problem: `${method} can’t be read. ${errorSentence(answer)}` };
  const list = isObject(answer.result) ? own(answer.result, items) : undefined;
  return Array.isArray(list) ? { method } : { method, problem: `The result of ${method} has no list \`${items}\`.` };
}

/** Prints why the connection failed. Returns false if the log does not show it. */
async function printDiagnosis(
  log: Log,
  out: CommandOutput,
  look: AskNearby,
  cause: Failure,
  hosts: HostReport | undefined,
): Promise<boolean> {
  const { start } = log.state.connection;
  const first = diagnose(log, cause);
  const where = first?.actions.find((action) => action.kind === 'look-further')?.where;
  if (where) await look(where);
  const diagnosis = diagnose(log, cause);
  if (!diagnosis || !start) return false;
  const server = start.transport === 'stdio' ? [start.command, ...start.args].join(' ') : start.url;
  // A server that refuses a client may still say in its card what the client needs.
  const isReached = exchangesOf(log, true).some(({ response }) => response !== undefined);
  const looks = isReached ? (await lookAt(log, look)).filter(([, { isEmpty }]) => !isEmpty) : [];
  if (out.json) out.printExact(JSON.stringify({ ...withoutFrames(diagnosis), ...valuesOf(looks), ...hosts?.json }));
  else {
    if (!hosts?.isAlone) out.printText(diagnosisText(withoutFrames(diagnosis), server));
    if (!hosts?.isAlone) for (const [, one] of looks) one.print(out);
    hosts?.print(out);
  }
  return true;
}

/** Leaves out frame numbers, which mean nothing without a log. */
function withoutFrames({ seq: _, said, ...diagnosis }: Diagnosis): Omit<Diagnosis, 'seq'> {
  return {
    ...diagnosis,
    ...(said && { said: { text: said.text } }),
    evidence: bare(diagnosis.evidence),
    steps: diagnosis.steps.map(withoutSeqs),
  };
}

function withoutSeqs(step: Step): Step {
  return { ...step, evidence: bare(step.evidence) };
}

function bare(facts: readonly Evidence[]): readonly Evidence[] {
  return facts.map(({ text }) => ({ text }));
}
