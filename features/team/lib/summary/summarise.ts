import { MOST_TOOLS } from '@/lib/host/tool-use';
import { isObject, own } from '@/lib/json/value';
import type { Problem } from '@/lib/problems/problem';
import { ProblemFinder } from '@/lib/problems/problem-finder';
import { SEVERITY_RANK } from '@/lib/problems/rule';
import { DurationHistogram } from '@/lib/store/exchanges/latencies';
import { Log } from '@/lib/store/log';
import type { RowStatus } from '@/lib/store/rows/row';
import { appendWithoutLongStrings } from '@/lib/store/without-long-strings';
import { trueClient } from '@/lib/wire/client-profile';
import type { Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { CALL_METHODS, META_KEY } from '@/lib/wire/protocol-names';
import type { TimeLimit } from '@/lib/wire/time-limit';
import { RequestFailureReader } from './failures';
import {
  type Counted,
  type RecordingSummary,
  type RuleCount,
  SUMMARY_BYTES,
  SUMMARY_TAGS,
  SUMMARY_TOOLS,
  SUMMARY_VERSION,
  type ToolSummary,
} from './recording-summary';
import { shortName, shortText } from './short-text';
import { bucketOf, TimeBuckets } from './time-buckets';

/** Bytes of a recording that are held. Each frame is read as it comes. */
const HELD_BYTES = 16 * 1024 * 1024;
/** Frames that the rules check within one time limit. */
const PORTION = 4096;
/** Requests that are looked through for the name of the client. The first one has it, or each of them. */
const INTRODUCTIONS = 100;

const withoutLimit: TimeLimit = (_ms, work) => {
  work();
  return true;
};

/** The part of a summary that its frames do not tell. */
export interface SummaryFacts
  extends Pick<RecordingSummary, 'sha256' | 'bytes' | 'complete' | 'author' | 'commit' | 'ci'> {
  /** The recording's header. */
  readonly header: Pick<RecordingSummary, 'id' | 'at' | 'by' | 'mode'> & {
    readonly name: string;
    readonly transport: string;
    readonly as?: string;
  };
  readonly tags?: readonly string[];
}

/**
 * Reads the frames of a recording, in order, and makes its summary. Reads each once. Memory grows by some tens of bytes
 * a frame, within the bounds of a recording.
 */
export class Summariser {
  readonly #log = new Log('', { held: HELD_BYTES, again: 0 });
  readonly #finder = new ProblemFinder((seq) => {
    this.#checking = seq;
  });
  readonly #failures = new RequestFailureReader();
  readonly #within: TimeLimit;
  /** The result that is being checked against its schema. */
  #checking: number | undefined;
  #rulesStopped = false;
  #requests = 0;
  #host: RecordingSummary['host'];

  /** `within` stops rules that hang, which then find nothing more. Absent: nothing can hang, or be stopped. */
  constructor(within: TimeLimit = withoutLimit) {
    this.#within = within;
  }

  addFrames(frames: readonly Frame[]): void {
    for (let from = 0; from < frames.length; from += PORTION) this.#addPortion(frames.slice(from, from + PORTION));
  }

  #addPortion(frames: readonly Frame[]): void {
    const log = this.#log;
    const from = log.size;
    appendWithoutLongStrings(log, frames);
    for (let index = from; index < log.size; index++) {
      this.#failures.readAnswer(log, index);
      if (this.#host === undefined && this.#requests < INTRODUCTIONS) this.#readIntroduction(index);
    }
    this.#checkFrames(frames);
  }

  #checkFrames(frames: readonly Frame[]): void {
    if (this.#rulesStopped) return;
    let next = 0;
    const check = () => {
      while (next < frames.length) {
        this.#checking = undefined;
        this.#finder.addFrame(frames[next++]!);
      }
    };
    while (!this.#within(LIMITS.rulesMs, check)) {
      if (this.#checking === undefined) {
        this.#rulesStopped = true;
        return;
      }
      // From here on, results are not checked against schemas.
      this.#finder.skipChecks({ seqs: [], from: this.#checking });
    }
  }

  #readIntroduction(index: number): void {
    const { columns } = this.#log;
    if (columns.kind(index) !== 'request' || columns.direction(index) !== 'to-server') return;
    this.#requests++;
    const params = this.#log.json(index)?.member('params');
    const source =
      columns.method(index) === 'initialize'
        ? params?.member('clientInfo')
        : params?.member('_meta')?.member(META_KEY.clientInfo);
    const info = source?.value;
    const name = isObject(info) ? own(info, 'name') : undefined;
    if (!isObject(info) || typeof name !== 'string') return;
    const version = own(info, 'version');
    this.#host = { name: shortName(name), ...(typeof version === 'string' && { version: shortText(version) }) };
  }

  /** Returns the summary of the frames so far. */
  summary(facts: SummaryFacts): RecordingSummary {
    return summarise(this.#log, {
      ...facts,
      problems: this.#finder.problems,
      failures: this.#failures,
      host: this.#host,
    });
  }
}

interface Found extends SummaryFacts {
  readonly problems: readonly Problem[];
  readonly failures: RequestFailureReader;
  readonly host: RecordingSummary['host'];
}

function summarise(log: Log, { header, problems, failures, host, ...facts }: Found): RecordingSummary {
  const { requests, tools, toolsLeftOut } = countRequests(log, failures);
  const { tags = [], author, commit, ci } = facts;
  const first = log.size > 0 ? log.columns.time(0) : 0;
  const last = log.size > 0 ? log.columns.time(log.size - 1) : 0;
  const tap = log.state.connection.start;
  const tapped = tap && 'tap' in tap ? tap.tap?.host : undefined;
  const shown = trueClient(header) ?? host ?? (tapped === undefined ? undefined : { name: shortName(tapped) });
  return bounded({
    summary: SUMMARY_VERSION,
    id: shortText(header.id),
    sha256: facts.sha256,
    bytes: facts.bytes,
    at: header.at,
    durationMs: round((last - first) / 1000),
    frames: log.frames,
    by: shortText(header.by),
    mode: header.mode,
    complete: facts.complete,
    server: serverOf(log, header),
    ...(shown && { host: shown }),
    requests,
    tools,
    ...(toolsLeftOut > 0 && { toolsLeftOut }),
    ...failures.result(),
    problems: countProblems(problems),
    tags: tags.slice(0, SUMMARY_TAGS).map(shortText),
    ...(author !== undefined && { author: shortText(author) }),
    ...(commit !== undefined && { commit: shortText(commit) }),
    ...(ci && { ci: { name: shortText(ci.name), ...(ci.run !== undefined && { run: shortText(ci.run) }) } }),
  });
}

function serverOf(log: Log, { name, transport }: SummaryFacts['header']): RecordingSummary['server'] {
  const { server, connection } = log.state;
  const { info } = server;
  const text = (key: string, value: string | undefined) => (value ? { [key]: shortName(value) } : {});
  return {
    name: shortName(name),
    ...text('info', info?.name),
    ...text('title', info?.title),
    ...text('version', info?.version),
    ...text('protocol', connection.version),
    transport: transport === 'auto' ? (connection.transport ?? transport) : transport,
  };
}

/** Counts what happened to requests with the same name. */
class Count {
  readonly #durations = new DurationHistogram();
  readonly #times = new TimeBuckets();
  #calls = 0;
  #errors = 0;
  #unfinished = 0;
  #slowestUs = -1;
  slowest: number | undefined;
  failed: number | undefined;

  add(seq: number, outcome: Outcome, us: number | undefined): void {
    this.#calls++;
    if (outcome === 'failed') {
      this.#errors++;
      this.failed ??= seq;
    }
    if (outcome === 'unfinished') this.#unfinished++;
    if (us === undefined) return;
    this.#durations.add(us);
    this.#times.add(bucketOf(us));
    if (us <= this.#slowestUs) return;
    this.#slowestUs = us;
    this.slowest = seq;
  }

  get counted(): Counted {
    const [p50, p95, max] = [0.5, 0.95, 1].map((share) => this.#durations.quantile(share));
    const { singles } = this.#durations;
    return {
      calls: this.#calls,
      errors: this.#errors,
      ...(this.#unfinished > 0 && { unfinished: this.#unfinished }),
      ...(p50 !== undefined && { p50Ms: round(p50 / 1000), p95Ms: round(p95! / 1000), maxMs: round(max! / 1000) }),
      ...(singles && { singlesMs: singles.map((us) => round(us / 1000)) }),
      ...(p50 !== undefined && { times: this.#times.times }),
    };
  }
}

type Outcome = 'answered' | 'failed' | 'unfinished';

const OUTCOMES: Readonly<Partial<Record<RowStatus, Outcome>>> = {
  ok: 'answered',
  error: 'failed',
  'tool-error': 'failed',
  timeout: 'failed',
  lost: 'failed',
  cancelled: 'unfinished',
  pending: 'unfinished',
};
const ANSWERED: ReadonlySet<RowStatus> = new Set<RowStatus>(['ok', 'error', 'tool-error']);

/** Counts the requests of the client. A batch counts as one. */
function countRequests(log: Log, failures: RequestFailureReader) {
  const { columns } = log;
  const all = new Count();
  const called = new Map<string, Count>();
  let isMore = false;
  for (let index = 0; index < log.size; index++) {
    const status = columns.direction(index) === 'to-server' ? columns.status(index) : undefined;
    const outcome = status && OUTCOMES[status];
    const kind = columns.kind(index);
    if (outcome === undefined || (kind !== 'request' && kind !== 'batch')) continue;
    const [method, name] = [columns.method(index) ?? 'batch', kind === 'batch' ? undefined : columns.name(index)];
    const us = ANSWERED.has(status!) ? log.durationUs(index) : undefined;
    const ownUs = us === undefined ? undefined : Math.max(0, us - log.waitedForPeople(index + 1));
    all.add(index + 1, outcome, CALL_METHODS.has(method) ? ownUs : undefined);
    if (outcome === 'failed') failures.addFailed(index + 1, status!, method, name);
    if (method !== 'tools/call' || name === undefined) continue;
    const known = called.get(name) ?? (called.size < MOST_TOOLS ? new Count() : undefined);
    if (known) called.set(name, known);
    else isMore = true;
    known?.add(index + 1, outcome, ownUs);
  }
  const tools = toolsOf(called, log);
  const toolsLeftOut = Math.max(0, tools.length - SUMMARY_TOOLS) + (isMore ? 1 : 0);
  return { requests: all.counted, tools: tools.slice(0, SUMMARY_TOOLS), toolsLeftOut };
}

function toolsOf(called: ReadonlyMap<string, Count>, { state }: Log): readonly ToolSummary[] {
  const listed = new Set(state.tools.items.map(({ name }) => name));
  const names = [...new Set([...called.keys(), ...listed])];
  return names
    .map((name): ToolSummary => {
      const { counted = NOT_CALLED, slowest, failed } = called.get(name) ?? {};
      return {
        name: shortName(name),
        ...(!listed.has(name) && { unlisted: true }),
        ...counted,
        ...(slowest !== undefined && { slowest }),
        ...(failed !== undefined && { failed }),
      };
    })
    .sort((a, b) => b.calls - a.calls);
}

const NOT_CALLED: Counted = { calls: 0, errors: 0 };

function countProblems(problems: readonly Problem[]): readonly RuleCount[] {
  const counts = new Map<string, { severity: RuleCount['severity']; count: number }>();
  for (const { rule, severity, count } of problems) {
    const known = counts.get(rule);
    if (known) known.count += count;
    else counts.set(rule, { severity, count });
  }
  return Array.from(counts, ([rule, found]) => ({ rule, ...found })).sort(
    (a, b) => SEVERITY_RANK[b.severity] - SEVERITY_RANK[a.severity] || b.count - a.count,
  );
}

/** Leaves out tools until the summary fits. */
function bounded(summary: RecordingSummary): RecordingSummary {
  const sizeOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;
  const most = SUMMARY_BYTES - sizeOf({ ...summary, tools: [], toolsLeftOut: Number.MAX_SAFE_INTEGER });
  let bytes = 0;
  const fits = summary.tools.findIndex((tool) => {
    bytes += sizeOf(tool) + 1;
    return bytes > most;
  });
  if (fits < 0) return summary;
  const left = (summary.toolsLeftOut ?? 0) + summary.tools.length - fits;
  return { ...summary, tools: summary.tools.slice(0, fits), toolsLeftOut: left };
}

/** Rounds milliseconds to microseconds. */
function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
