import { createHash } from 'node:crypto';
import { fingerprintOf } from '@/features/check/lib/baseline';
import type { Listed } from '@/features/check/lib/listed';
import { listFacts, qualityFindings } from '@/features/check/lib/quality';
import type { CheckedSource, CheckFacts, CheckFinding, CheckStep } from '@/features/check/lib/report';
import { canonicalJson } from '@/lib/json/canonical';
import { type JsonObject, own, textOrJson } from '@/lib/json/value';
import { isNetworkFailure } from '@/lib/transports/http-failures';
import { RefusedError } from '@/lib/transports/transport';
import { systemClock } from '@/lib/wire/clock';
import { countOf } from '@/lib/wire/format';
import { runInSlices } from '@/lib/wire/in-slices';
import type { Failure } from '@/lib/wire/lifecycle';
import type { ForHosts } from '@/proxy/commands/shared/for-hosts';
import type { Launch } from '@/proxy/connection/launch';
import { type Calls, callSteps } from './calls';
import {
  checkSession,
  LIST_STEPS,
  type ListedStore,
  type SessionResult,
  type SessionSettings,
  type SessionStep,
  STOPPED,
} from './check-session';
import type { ConformanceTarget } from './conformance/conformance';
import { hostsStep } from './hosts-step';
import { measuresTogether } from './measured';
import type { SessionRecordings } from './session-recordings';
import { lateStep } from './step-runner';
import { SURVIVAL_STEPS } from './survival';
import { checkUrl } from './url-step';

/**
 * Sessions of one variant: steps that lose the server make the next ones run in another session. One in which a step is
 * asked again does not count.
 */
const MOST_SESSIONS = 6;
/** Milliseconds for connecting again, in the other era or in a further session. The server has started before. */
const AGAIN_MS = 15_000;
/**
 * Milliseconds for finding HTTP+SSE at a URL that speaks Streamable HTTP. Many such servers open a stream for any GET,
 * in which nothing ever comes, where HTTP+SSE sends its endpoint at once.
 */
const SSE_MS = 5000;
const NEWEST_LEGACY = '2025-11-25';

/** Time limits of a check, in ms. */
export interface CheckLimits {
  readonly wholeMs: number;
  readonly stepMs: number;
}

/** The parts that a check of a server needs. */
export interface ServerCheck extends Pick<SessionSettings, 'server' | 'version' | 'status' | 'steps' | 'hosts'> {
  readonly limits: CheckLimits;
  /** Records each session. Absent: none is recorded. */
  readonly recordings?: SessionRecordings;
  /** Runs the official suite after each variant. Absent: it was not asked for. */
  readonly conformance?: (target: ConformanceTarget) => Promise<CheckedSource>;
  /** Gets what ends the running session. */
  onClose(close: () => Promise<void>): void;
}

/** The findings in a server. */
export interface CheckedServer {
  readonly sources: readonly CheckedSource[];
  /** Why it could not be reached at all. */
  readonly failure: Failure | undefined;
  /** Names of the tools that it lists first. */
  readonly toolNames: readonly string[];
}

/** A way to connect to a server. */
interface Variant {
  readonly launch: Launch;
  readonly name: string;
  /** True if the server need not offer it, so that a failure is only a note. */
  readonly isOptional: boolean;
}

/** Returns the steps for one server in their order. Make them again for another: some remember what they did. */
export function stepsFor(
  pinned: readonly SessionStep[],
  calls: Calls,
  hosts: ForHosts | undefined,
): readonly SessionStep[] {
  // Steps that send faults on purpose come last.
  return [...pinned, ...callSteps(calls), ...(hosts ? [hostsStep(hosts)] : []), ...SURVIVAL_STEPS];
}

/** Checks a server in every era that it speaks and over every transport of its URL. */
export async function checkServer(launch: Launch, check: ServerCheck): Promise<CheckedServer> {
  const limit = new TimeLimit(check.limits.wholeMs);
  try {
    const title = launch.name;
    const first = await checkVariant({ launch, name: title, isOptional: false }, check, limit);
    if (first.failure) return { sources: [first.source], failure: first.failure, toolNames: [] };
    const { negotiated } = first;
    const protection =
      launch.transport !== 'stdio' && negotiated && !first.isSse && !limit.isOver
        ? [
            await checkUrl({
              launch,
              negotiated,
              version: check.version,
              allowLocal: check.server.options.allowLinkLocal,
            }),
          ]
        : [];
    const sources: CheckedSource[] = [{ ...first.source, steps: [...first.source.steps, ...protection] }];
    const judged = async (variant: Variant, { negotiated, listed, isSse }: VariantResult): Promise<void> => {
      if (!check.conformance || !negotiated || limit.isOver) return;
      const { launch: started, name } = variant;
      const onStart = (close: () => Promise<void>): void => {
        check.onClose(close);
        limit.onSession(() => {}, close);
      };
      sources.push(await check.conformance({ launch: started, name, negotiated, listed, isSse, onStart }));
    };
    await judged({ launch, name: title, isOptional: false }, first);
    const offered: string[] = [];
    for (const variant of furtherVariants(launch, first, title)) {
      if (limit.isOver) break;
      const result = await checkVariant(variant, check, limit);
      if (result.negotiated) {
        sources.push(notedFurther(result.source, sources));
        await judged(variant, result);
      } else offered.push(notFoundNote(variant, variant.name.slice(title.length + 2), result.failure!));
    }
    return {
      sources: [{ ...sources[0]!, notes: [...sources[0]!.notes, ...offered] }, ...sources.slice(1)],
      failure: undefined,
      toolNames: first.toolNames,
    };
  } finally {
    limit.end();
  }
}

/** Returns the other era and the other transport of a server, unless the command line names one. */
function furtherVariants(launch: Launch, { negotiated, isSse }: SessionResult, title: string): readonly Variant[] {
  const found: Variant[] = [];
  if (launch.protocol === 'auto' && negotiated?.era === 'modern') {
    found.push({ launch: { ...launch, protocol: NEWEST_LEGACY }, name: `${title}: legacy era`, isOptional: true });
  }
  if (launch.transport === 'auto' && !isSse) {
    const sse = { ...launch, transport: 'sse' as const, protocol: NEWEST_LEGACY } as Launch;
    found.push({ launch: sse, name: `${title}: HTTP+SSE`, isOptional: true });
  }
  return found;
}

interface VariantResult extends SessionResult {
  readonly listed: Listed;
  readonly toolNames: readonly string[];
}

/** Runs the sessions of one variant, joins them, and judges what they listed. */
async function checkVariant(variant: Variant, check: ServerCheck, limit: TimeLimit): Promise<VariantResult> {
  const { launch, name, isOptional } = variant;
  const listed: ListedStore = {};
  const paged = new Set<string>();
  let steps: readonly SessionStep[] = [...LIST_STEPS, ...check.steps];
  let whole: SessionResult | undefined;
  for (let sessions = 0; sessions < MOST_SESSIONS; ) {
    const isFirst = whole === undefined;
    const result = await checkSession(launch, name, {
      server: check.recordings ? { ...check.server, record: check.recordings.next() } : check.server,
      namesRecording: check.recordings?.areKept ?? false,
      version: check.version,
      status: check.status,
      listed,
      paged,
      stepMs: check.limits.stepMs,
      steps,
      // A failed variant that is optional has no report.
      hosts: isOptional ? undefined : check.hosts,
      secrets: check.steps.flatMap(({ secrets = [] }) => secrets),
      ...((isOptional || !isFirst) && { connectMs: isOptional && launch.transport === 'sse' ? SSE_MS : AGAIN_MS }),
      onSession: (stop, close) => {
        check.onClose(close);
        limit.onSession(stop, close);
      },
    });
    whole = whole ? joined(whole, result) : result;
    if (!result.failure) steps = result.left;
    if (result.failure || steps.length === 0 || !result.mayGoOn) break;
    if (steps[0]!.askedMs === undefined) sessions++;
  }
  const { source, negotiated } = whole!;
  if (!negotiated) return { ...whole!, listed, toolNames: [] };
  const began = performance.now();
  const stop = new AbortController();
  check.onClose(async () => stop.abort());
  const work = qualityFindings(listed, negotiated.version, measuresTogether(limit.leftMs), source.facts.hosts);
  const findings = (await runInSlices(work, stop.signal)) ?? [];
  const quality = { name: 'quality', ms: performance.now() - began, findings };
  const skipped = steps.map(
    ({ name: step, askedMs, advice }): CheckStep =>
      askedMs === undefined
        ? { name: step, ms: 0, findings: [], skipped: LOST }
        : { name: step, ms: 0, findings: [lateStep(step, askedMs, advice)] },
  );
  const facts = { ...source.facts, ...listFacts(listed, digestOf) };
  const toolNames = (listed.tools ?? []).map((tool) => textOrJson(own(tool, 'name')));
  return { ...whole!, source: { ...source, facts, steps: [...source.steps, ...skipped, quality] }, listed, toolNames };
}

/** Returns the beginning of the SHA-256 of a definition, however it is written. */
function digestOf(entry: JsonObject): string {
  return createHash('sha256')
    .update(canonicalJson(JSON.stringify(entry)))
    .digest('hex')
    .slice(0, DIGEST_CHARS);
}

/** 64 bits: nobody finds two definitions of one name for it by chance. */
const DIGEST_CHARS = 16;

const LOST = 'The check ended before.';

/** Failures that say nothing about what a server offers: nobody answered, or something else is needed first. */
const INCONCLUSIVE: ReadonlySet<string> = new Set([
  'stopped',
  'sign-in-waiting',
  'sign-in-needed',
  'sign-in-impossible',
  'handshake-timeout',
]);
/** Statuses that say nothing about it either. */
const INCONCLUSIVE_STATUSES: readonly number[] = [401, 403, 407, 429];

/** Says that a variant is not offered, but only if the server was asked and refused it. */
function notFoundNote({ launch }: Variant, name: string, failure: Failure): string {
  const status = failure instanceof RefusedError ? failure.status : undefined;
  const isUnclear =
    INCONCLUSIVE.has(failure.code) ||
    isNetworkFailure(failure) ||
    (status !== undefined && (status >= 500 || INCONCLUSIVE_STATUSES.includes(status)));
  // A server of HTTP+SSE sends its endpoint at once.
  if (launch.transport === 'sse' && failure === STOPPED)
    return `Not offered: ${name}. It sent no endpoint within ${SSE_MS / 1000} s.`;
  return isUnclear ? `Not checked: ${name}. ${failure.message}` : `Not offered: ${name}.`;
}

/** Adds the steps of a later session of the same variant. */
function joined(first: SessionResult, next: SessionResult): SessionResult {
  const later = withoutKnown(next.source, [first.source]).steps.filter(
    ({ name, findings }) => findings.length > 0 || !first.source.steps.some((step) => step.name === name),
  );
  return {
    ...first,
    source: {
      ...first.source,
      facts: { ...next.source.facts, ...first.source.facts, ...worseMeasures(first.source.facts, next.source.facts) },
      steps: [...first.source.steps, ...later],
    },
    left: next.left,
  };
}

/** Returns the slower times and the larger results of two sessions. */
function worseMeasures(first: CheckFacts, next: CheckFacts): CheckFacts {
  const worse = (one: number | undefined, other: number | undefined): number | undefined =>
    one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
  const p95Ms = worse(first.p95Ms, next.p95Ms);
  const largestResult = worse(first.largestResult, next.largestResult);
  return { ...(p95Ms !== undefined && { p95Ms }), ...(largestResult !== undefined && { largestResult }) };
}

/** Leaves out findings that other sessions have as well. */
function withoutKnown(source: CheckedSource, others: readonly CheckedSource[]): CheckedSource {
  const known = new Set(others.flatMap(({ steps }) => steps.flatMap(({ findings }) => findings.map(fingerprintOf))));
  const steps = source.steps.map((step) => ({
    ...step,
    findings: step.findings.filter((finding) => !known.has(fingerprintOf(finding))),
  }));
  return { ...source, steps };
}

/** Leaves out what earlier sources have, and says so. */
function notedFurther(source: CheckedSource, others: readonly CheckedSource[]): CheckedSource {
  const count = ({ steps }: CheckedSource) => steps.reduce((sum, { findings }) => sum + findings.length, 0);
  const further = withoutKnown(source, others);
  const shared = count(source) - count(further);
  if (shared === 0) return further;
  return { ...further, notes: [...further.notes, `${countOf(shared, 'problem')} as above.`] };
}

/** The time limit of a whole check. */
class TimeLimit {
  isOver = false;
  readonly #ms: number;
  readonly #began = performance.now();
  readonly #callOff: () => void;
  #stop: ((why: CheckFinding) => void) | undefined;
  #close: (() => Promise<void>) | undefined;

  constructor(ms: number) {
    this.#ms = ms;
    this.#callOff = systemClock.after(ms, () => {
      this.isOver = true;
      this.#end();
    });
  }

  get leftMs(): number {
    return this.#began + this.#ms - performance.now();
  }

  onSession(stop: (why: CheckFinding) => void, close: () => Promise<void>): void {
    this.#stop = stop;
    this.#close = close;
    if (this.isOver) this.#end();
  }

  #end(): void {
    this.#stop?.({
      rule: 'check-timeout',
      severity: 'error',
      title: 'Check ended by its time limit',
      message: `The check was ended after ${this.#ms / 1000} s.`,
      path: undefined,
      frames: [],
      advice: 'Allow more time with --timeout, or see which step of this report took long.',
      spec: undefined,
    });
    void this.#close?.();
  }

  end(): void {
    this.#callOff();
  }
}
