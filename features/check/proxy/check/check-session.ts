import { LISTED_KINDS, type Listed, type ListedKind } from '@/features/check/lib/listed';
import type { CheckedSource, CheckFacts, CheckFinding, MemoryFact } from '@/features/check/lib/report';
import { SessionMeasures } from '@/features/check/lib/session-measures';
import { diagnose } from '@/lib/doctor/diagnose';
import { adviceText, causeText } from '@/lib/doctor/diagnosis';
import { logOfParts } from '@/lib/doctor/log-of-parts';
import { own } from '@/lib/json/value';
import type { Negotiated } from '@/lib/mcp/handshake';
import { type JudgedFinding, judgeFrames, RulesTooSlow } from '@/lib/problems/judge-frames';
import { LISTINGS } from '@/lib/protocol/methods';
import { specPage } from '@/lib/protocol/spec-pages';
import { systemClock } from '@/lib/wire/clock';
import { mayHaveLists } from '@/lib/wire/declares';
import type { Frame } from '@/lib/wire/frame';
import type { Failure } from '@/lib/wire/lifecycle';
import { RPC_CODE } from '@/lib/wire/protocol-names';
import { serverLabel } from '@/lib/wire/server-label';
import { EXIT } from '@/proxy/cli/exit-code';
import { type CommandOutput, printNote } from '@/proxy/cli/output';
import type { Status } from '@/proxy/cli/status-line';
import { KeptFrames } from '@/proxy/commands/headless/kept-frames';
import { ListedEntries } from '@/proxy/commands/headless/listed-entries';
import { type CommandAction, runOn, type ServerCommandOptions } from '@/proxy/commands/headless/on-server';
import { pagesOf } from '@/proxy/commands/headless/results';
import { errorSentence } from '@/proxy/commands/headless/server-connection';
import type { ForHosts } from '@/proxy/commands/shared/for-hosts';
import { runWithin } from '@/proxy/commands/shared/time-limit';
import type { Launch } from '@/proxy/connection/launch';
import { judgeFramesForHosts } from './judge-for-hosts';
import { SessionSignals } from './session-signals';
import { type StepConnection, withStatusAnswers } from './step-connection';
import { AGAIN_TIMES, SessionOver, type StepLimits, StepRunner } from './step-runner';

/** Collects what a server lists. */
export type ListedStore = { -readonly [K in keyof Listed]: Listed[K] };

/** A connected session, as the steps see it. */
export interface Session {
  readonly connection: StepConnection;
  readonly negotiated: Negotiated;
  /** Entries that were read so far, also by earlier sessions. */
  readonly listed: ListedStore;
  /** Methods of lists that have more than one page. */
  readonly paged: Set<string>;
  readonly frames: KeptFrames;
  readonly isStdio: boolean;
  /** Facts that steps add to the report. */
  readonly noted: { memory?: MemoryFact; hosts?: CheckFacts['hosts'] };
  /** Milliseconds for one step. */
  readonly stepMs: number;
}

/** A step of a session. A step that loses the server ends the session, and the others run in the next one. */
export interface SessionStep extends StepLimits {
  readonly name: string;
  /** Secrets that it sends. They are masked in recordings of all sessions, since a server may repeat them later. */
  readonly secrets?: readonly string[];
  /** Returns why the step does not concern a session; undefined if it does. */
  skips?(session: Session): string | undefined;
  run(session: Session, signal: AbortSignal): Promise<readonly CheckFinding[]>;
  /** Returns the steps that take its place, once the lists are known. */
  expand?(session: Session): readonly SessionStep[];
}

/** How sessions of a check are run. */
export interface SessionSettings {
  readonly server: ServerCommandOptions;
  /** True if the report names the recording of `server`. */
  readonly namesRecording: boolean;
  readonly version: string;
  readonly status: Status;
  /** Milliseconds for one step. */
  readonly stepMs: number;
  /** Milliseconds for connecting. Absent: as long as the handshake takes elsewhere. */
  readonly connectMs?: number;
  readonly steps: readonly SessionStep[];
  /** Judges a session without a connection for the hosts of `--for`. */
  readonly hosts?: ForHosts | undefined;
  /** Secrets of its steps and of those of earlier sessions. */
  readonly secrets: readonly string[];
  /** Gets the entries of lists. */
  readonly listed: ListedStore;
  /** Gets the methods of lists with several pages. */
  readonly paged: Set<string>;
  /** Gets what ends the running session before its end; it stops the step with a finding. */
  onSession(stop: (why: CheckFinding) => void, close: () => Promise<void>): void;
}

/** The outcome of a session. */
export interface SessionResult {
  readonly source: CheckedSource;
  readonly negotiated: Negotiated | undefined;
  /** Why there was no connection. */
  readonly failure: Failure | undefined;
  /** Steps that did not run, because an earlier one lost the server. */
  readonly left: readonly SessionStep[];
  /** False if the time is up or the server floods, so that no other session may follow. */
  readonly mayGoOn: boolean;
  /** True if it fell back to HTTP+SSE. */
  readonly isSse: boolean;
}

/** Connects once, runs every step, and judges the whole session. Never rejects for what the server does. */
export async function checkSession(launch: Launch, name: string, settings: SessionSettings): Promise<SessionResult> {
  const { server, version, status } = settings;
  const named = settings.namesRecording ? server.record : undefined;
  const frames = new KeptFrames((many) => runner.stop(floodFinding(many)));
  const onStep = (step: string): void => status.show(`${name}: ${step}… Ctrl-C cancels`);
  // The words of the session itself name what stderr said of a process, and which session was lost.
  const explain = (cause: Failure) =>
    launch.transport === 'stdio' || cause.code === 'session-lost' ? cause : explained(frames.frames, cause);
  const runner = new StepRunner(systemClock, settings.stepMs, onStep, () => frames.newestSent, explain);
  const began = performance.now();
  const signals = new SessionSignals();
  const notes: string[] = [];
  const left = [...settings.steps];
  let failure: Failure | undefined;
  const { listed } = settings;
  const noted: Session['noted'] = {};
  const action: CommandAction = async ({ connection, negotiated }) => {
    runner.add({ name: 'connect', ms: performance.now() - began, findings: [] });
    const session = {
      connection: withStatusAnswers(connection, signals),
      negotiated: negotiated!,
      listed,
      paged: settings.paged,
      frames,
      noted,
      isStdio: launch.transport === 'stdio',
      stepMs: settings.stepMs,
    };
    for (let step = left.shift(); step !== undefined; step = left.shift()) {
      const { name: stepName, skips, expand } = step;
      if (expand) {
        left.unshift(...expand(session));
        continue;
      }
      const why = skips?.(session);
      if (why !== undefined) {
        runner.add({ name: stepName, ms: 0, findings: [], skipped: why });
        continue;
      }
      try {
        await runner.run(stepName, (signal) => step!.run(session, signal), step);
      } catch (error) {
        if (!(error instanceof SessionOver)) throw error;
        const { lateMs } = error;
        if (lateMs !== undefined) left.unshift({ ...step, limitMs: lateMs * AGAIN_TIMES, askedMs: lateMs });
        break;
      }
    }
    return EXIT.fine;
  };
  let opened: Negotiated | undefined;
  const connect: CommandAction['connect'] = {
    forgetsEra: true,
    mode: 'check',
    secrets: settings.secrets,
    onFrame: (frame) => {
      frames.add(frame);
      signals.onFrame(frame);
    },
    explain: async (_out, _look, reason) => {
      failure = reason;
      return true;
    },
    out: collectedOutput(notes, status),
  };
  let callOff = (): void => {};
  const run: CommandAction = async (ready) => {
    callOff();
    opened = ready.negotiated;
    return action(ready);
  };
  await runOn(launch, Object.assign(run, { connect }), server, version, (close) => {
    settings.onSession((why) => runner.stop(why), close);
    const { connectMs } = settings;
    if (connectMs !== undefined) callOff = systemClock.after(connectMs, () => void close());
  });
  callOff();
  status.end();
  const isSse = launch.transport === 'sse' || signals.fellBack;
  // Without a connection, the time limit has stopped it.
  failure ??= opened ? undefined : signals.waitsForSignIn ? WAITING : STOPPED;
  const rulesBegan = performance.now();
  const judged = await judgeRules(frames.frames);
  if (!opened) {
    const forHosts = settings.hosts && judgeFramesForHosts(settings.hosts, frames.frames);
    Object.assign(noted, forHosts?.facts);
    const findings = [failureFinding(failure!), ...(forHosts?.findings ?? [])];
    runner.add({ name: 'connect', ms: performance.now() - began, findings });
  }
  const findings = judged.findings.filter((each) => each.fromServer && !frames.arePaused(each.frames));
  runner.add({ name: 'rules', ms: performance.now() - rulesBegan, findings });
  const transport = isSse ? 'HTTP+SSE' : launch.transport === 'stdio' ? 'stdio' : 'Streamable HTTP';
  return {
    source: {
      name,
      facts: { ...factsOf(opened, transport), ...noted, ...measuresOf(frames), frames: judged.frames },
      steps: named === undefined ? runner.steps : runner.steps.map((step) => ({ ...step, recording: named })),
      notes,
    },
    negotiated: opened,
    failure,
    left,
    mayGoOn: !runner.isStopped,
    isSse,
  };
}

/** Judges a session with every rule. Rules that take too long are its only finding. */
export async function judgeRules(
  frames: readonly Frame[],
  within = runWithin,
): Promise<{
  readonly frames: number;
  readonly findings: readonly (CheckFinding & Pick<JudgedFinding, 'fromServer'>)[];
}> {
  try {
    return await judgeFrames(() => [frames], within);
  } catch (error) {
    if (!(error instanceof RulesTooSlow)) throw error;
    return { frames: frames.length, findings: [{ ...TOO_SLOW, message: error.message }] };
  }
}

const TOO_SLOW = {
  rule: 'check-timeout',
  severity: 'error',
  title: 'Session that can’t be judged',
  path: undefined,
  frames: [],
  advice: 'List fewer tools, and send smaller messages.',
  spec: undefined,
  fromServer: true,
} as const;

/** Measures what mcp-inspect did not break on purpose. */
function measuresOf(kept: KeptFrames): SessionMeasures['facts'] {
  const measures = new SessionMeasures();
  for (const frame of kept.frames) if (!kept.arePaused([frame.seq])) measures.addFrame(frame);
  return measures.facts;
}

/** The failure of a session that a time limit ended before it was open. */
export const STOPPED: Failure = {
  code: 'stopped',
  message: 'The server did not connect in time.',
  advice: 'Allow more time with `--timeout`.',
};

const WAITING: Failure = {
  code: 'sign-in-waiting',
  message: 'It waits for a sign-in.',
  advice: 'Open the address that was printed. With `--auth keep`, the next run needs none.',
};

/** Steps that read every page of each list that the server declares. */
export const LIST_STEPS: readonly SessionStep[] = LISTED_KINDS.map((kind) => ({
  name: `list ${kind}`,
  skips: ({ negotiated }) => {
    const { capability } = listing(kind);
    return mayHaveLists(negotiated, capability) ? undefined : `The server does not declare ${capability}.`;
  },
  run: readList(kind),
}));

const METHODS: Readonly<Record<ListedKind, string>> = {
  tools: 'tools/list',
  resources: 'resources/list',
  templates: 'resources/templates/list',
  prompts: 'prompts/list',
};

function listing(kind: ListedKind) {
  return LISTINGS.find(([method]) => method === METHODS[kind])![1];
}

/** Reads every page of a list. */
function readList(kind: ListedKind): SessionStep['run'] {
  return async ({ connection, listed, paged, negotiated, frames }, signal) => {
    const { capability, items } = listing(kind);
    const list = new ListedEntries(items);
    let pages = 0;
    for await (const page of pagesOf(connection, METHODS[kind], signal)) {
      if (++pages > 1) paged.add(METHODS[kind]);
      list.addPage(page);
      listed[kind] = list.entries;
      if (page.kind !== 'error') continue;
      // Servers with resources but no templates often omit that method.
      if (kind === 'templates' && page.error.code === RPC_CODE.methodNotFound) return [];
      return [
        {
          rule: 'list-failed',
          severity: 'error',
          title: 'List that can’t be read',
          message: `${METHODS[kind]}: ${errorSentence(page)}`,
          path: undefined,
          frames: frames.newestAnswer(METHODS[kind]),
          advice: 'Answer the method, or do not declare its capability.',
          spec: specPage(capability, negotiated.version).url,
        },
      ];
    }
    return [];
  };
}

function factsOf(negotiated: Negotiated | undefined, transport: string): CheckFacts {
  if (!negotiated) return { transport };
  const { era, version, serverInfo } = negotiated;
  const name = serverInfo && serverLabel(serverInfo);
  const ownVersion = serverInfo && own(serverInfo, 'version');
  const label = [name, typeof ownVersion === 'string' ? ownVersion : undefined].filter(Boolean).join(' ');
  return { ...(label !== '' && { server: label.slice(0, 200) }), era, version, transport };
}

/** Returns the doctor's words about a request that failed. */
function explained(frames: readonly Frame[], cause: Failure): Pick<Failure, 'message' | 'advice'> {
  const diagnosis = diagnose(logOfParts({ first: frames, newest: [], missing: 0 }), cause);
  return diagnosis ? { message: causeText(diagnosis), advice: adviceText(diagnosis) } : cause;
}

/** Makes the finding of a server that can't be reached. */
export function failureFinding({ message, advice }: Pick<Failure, 'message' | 'advice'>): CheckFinding {
  return {
    rule: 'connection-failed',
    severity: 'error',
    title: 'No connection',
    message,
    path: undefined,
    frames: [],
    advice,
    spec: undefined,
  };
}

function floodFinding(many: string): CheckFinding {
  return {
    rule: 'server-floods',
    severity: 'error',
    title: 'Flood of messages',
    message: `The server sent ${many}, so its session was ended.`,
    path: undefined,
    frames: [],
    advice: 'Send only responses, and the notifications that clients ask for.',
    spec: undefined,
  };
}

/** Notes of our own that a report keeps. */
const MOST_NOTES = 20;

/** Keeps our notes for the report. Text of the server is in the findings, and a build server could act on it. */
function collectedOutput(notes: string[], status: Status): CommandOutput {
  return {
    json: true,
    width: undefined,
    printText: printNote,
    printLines: () => {},
    printExact: printNote,
    printNote: (source, text) => {
      if (source === 'mcp-inspect' && notes.length < MOST_NOTES) notes.push(text);
    },
    status,
  };
}
