import { type SpecTopic, specPage } from '@/lib/protocol/spec-pages';
import { decode, type Message, messagesOf, readFrame } from '@/lib/store/classify';
import { toLifecycleEvent } from '@/lib/store/state/connection-facts';
import { FLAG, type Frame } from '@/lib/wire/frame';
import { readHttpFrame } from '@/lib/wire/http-frame';
import { PROTOCOL_VERSIONS, type ProtocolVersion } from '@/lib/wire/lifecycle';
import { InterceptedFrames } from './intercepted-frames';
import type { Problem } from './problem';
import { ProtocolState, type SkippedChecks } from './protocol-state';
import { type Checks, type ProtocolRule, type ReportFinding, type RuleFinding, SEVERITY_RANK } from './rule';
import { PROTOCOL_RULES } from './rules/registry';

/** Most problems per rule. The last one collects all further findings. */
export const PROBLEMS_PER_RULE = 200;
/** Most frames listed per problem. */
export const FRAMES_PER_PROBLEM = 50;
/** Most marks on one frame for problems whose lists of frames are full. A more severe problem is marked anyway. */
export const MARKS_PER_FRAME = 4;

const MESSAGES: readonly Message['kind'][] = ['request', 'notification', 'response', 'error'];

/** Checks are grouped by the kind of message or frame that they look at. */
type Kind = Message['kind'] | 'junk' | 'frame' | 'http';
type Check<K extends Kind> = NonNullable<Checks[K extends 'junk' | 'frame' | 'http' ? K : 'message']>;

interface GroupedCheck<K extends Kind> {
  readonly rule: ProtocolRule;
  readonly check: Check<K>;
  readonly report: ReportFinding;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Checks every frame of one log, in order, with every rule. The cost of a frame does not depend on the length of the
 * log.
 */
export class ProblemFinder {
  /** Rules that threw, which is a bug in the rule. */
  readonly failed = new Set<string>();
  readonly #state: ProtocolState;
  /** Every rule's checks, built once, so that a flood of messages creates no closures. */
  readonly #checks = this.#groupChecks();
  readonly #problems: Mutable<Problem>[] = [];
  readonly #byKey = new Map<string, Mutable<Problem>>();
  readonly #perRule = new Map<string, number>();
  readonly #continuing = new Set<string>();
  readonly #intercepted = new InterceptedFrames();
  readonly #changed = new Set<Mutable<Problem>>();
  /** Problems found before a version was negotiated, with their spec topics. */
  readonly #unversioned = new Map<Mutable<Problem>, SpecTopic>();
  #marks: number[] = [];
  #seq = 0;
  /** Ids of the current frame's problems. */
  readonly #frameProblems = new Set<number>();
  #unnamed = 0;
  #worst = -1;
  #version: ProtocolVersion | undefined;

  /** Calls `onSchema` before each check of a result against its tool's schema. Such a check may never end. */
  constructor(onSchema?: (seq: number) => void) {
    this.#state = new ProtocolState(onSchema);
  }

  /** Skips the schema checks of these results. */
  skipChecks(unchecked: SkippedChecks): void {
    this.#state.skippedChecks = unchecked;
  }

  /** Problems in the order found. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** seq of the newest frame checked. */
  get seq(): number {
    return this.#seq;
  }

  /** Returns copies of the problems that are new or have more frames since the last call. */
  takeChanged(): Problem[] {
    const changed = [...this.#changed].map((problem) => ({ ...problem, seqs: [...problem.seqs] }));
    this.#changed.clear();
    return changed;
  }

  /** Returns the marks of frames checked since the last call, in the format of `CheckDone`. */
  takeMarks(): Uint32Array {
    const marks = Uint32Array.from(this.#marks);
    this.#marks = [];
    return marks;
  }

  /** Checks the next frame. Never throws: a rule that throws finds nothing. */
  addFrame(frame: Frame): void {
    this.#seq = frame.seq;
    this.#frameProblems.clear();
    this.#unnamed = 0;
    this.#worst = -1;
    if (frame.channel === 'protocol') {
      if (this.#intercepted.isSentBy(frame)) this.#protocol(frame);
      else this.#state.endHttpFrame();
    } else if (frame.channel === 'intercept') {
      if (this.#intercepted.isOriginalOfServer(frame)) this.#protocol(frame);
    } else if (frame.channel === 'http') this.#http(frame);
    else if (frame.channel === 'lifecycle') {
      const event = toLifecycleEvent(decode(frame.bytes).text);
      if (event) this.#intercepted.addEvent(frame.seq, event);
      // Its message comes later, and the next one did not come on its stream.
      if (event?.event === 'held') this.#state.endHttpFrame();
      if (event) this.#state.addLifecycle(event);
    }
    if (this.#unversioned.size > 0) this.#citeVersion();
  }

  /** Points problems found before the negotiation to the spec pages of the negotiated version. */
  #citeVersion(): void {
    const { version } = this.#state;
    if (version === undefined) return;
    for (const [problem, topic] of this.#unversioned) {
      Object.assign(problem, specPage(topic, version));
      this.#changed.add(problem);
    }
    this.#unversioned.clear();
  }

  /** Groups every rule's checks by what they look at. */
  #groupChecks(): { readonly [K in Kind]: readonly GroupedCheck<K>[] } {
    const sorted = { request: [], notification: [], response: [], error: [], junk: [], frame: [], http: [] } as {
      readonly [K in Kind]: GroupedCheck<K>[];
    };
    for (const rule of PROTOCOL_RULES) {
      const { kinds = MESSAGES, message, junk, frame, http } = rule.checks();
      const report: ReportFinding = (found) => this.#addFinding(rule, found);
      if (message) for (const kind of kinds) sorted[kind].push({ rule, report, check: message });
      if (junk) sorted.junk.push({ rule, report, check: junk });
      if (frame) sorted.frame.push({ rule, report, check: frame });
      if (http) sorted.http.push({ rule, report, check: http });
    }
    return sorted;
  }

  #protocol(frame: Frame): void {
    const goesOn = (frame.flags & FLAG.continued) !== 0;
    const piece = this.#continuing.has(frame.direction);
    if (goesOn) this.#continuing.add(frame.direction);
    else this.#continuing.delete(frame.direction);
    // Part of an over-long line is neither a message nor junk.
    if (goesOn || piece) return;
    const { value, invalidUtf8, text } = readFrame(frame);
    const messages = messagesOf(value);
    this.#version = this.#state.version;
    const facts = { value, invalidUtf8 };
    this.#run('frame', (check, report) => check(frame, facts, this.#state, report));
    if (messages.length === 0) {
      this.#run('junk', (check, report) => check(frame, text(), this.#state, report));
    }
    for (const message of messages) this.#message(frame, message, Array.isArray(value));
    this.#state.endHttpFrame();
  }

  #message(frame: Frame, message: Message, batch: boolean): void {
    const seen = this.#state.describe(frame, message, batch);
    this.#version = seen.version ?? this.#state.version;
    this.#run(seen.kind, (check, report) => check(seen, this.#state, report));
    this.#state.addMessage(seen);
  }

  #http(frame: Frame): void {
    const http = readHttpFrame(decode(frame.bytes).text);
    if (!http) return;
    this.#state.addHttpFrame(frame.seq, http);
    this.#version = this.#state.version;
    this.#run('http', (check, report) => check(http, this.#state, report));
  }

  #run<K extends Kind>(kind: K, run: (check: Check<K>, report: ReportFinding) => void): void {
    for (const { rule, check, report } of this.#checks[kind]) {
      try {
        run(check, report);
      } catch {
        // A server's message must not stop the other rules.
        this.failed.add(rule.id);
      }
    }
  }

  #addFinding(rule: ProtocolRule, found: RuleFinding): void {
    const problem = this.#problemOf(rule, found);
    if (this.#frameProblems.has(problem.id)) return;
    this.#frameProblems.add(problem.id);
    problem.count++;
    this.#changed.add(problem);
    const named = problem.seqs.length < FRAMES_PER_PROBLEM;
    if (named) problem.seqs = [...problem.seqs, this.#seq];
    else if (this.#unnamed++ >= MARKS_PER_FRAME && SEVERITY_RANK[rule.severity] <= this.#worst) return;
    this.#worst = Math.max(this.#worst, SEVERITY_RANK[rule.severity]);
    this.#marks.push(this.#seq, problem.id);
  }

  /**
   * Returns the problem for a finding. Beyond `PROBLEMS_PER_RULE`, one problem collects all other findings of the
   * rule.
   */
  #problemOf(rule: ProtocolRule, found: RuleFinding): Mutable<Problem> {
    const known = this.#byKey.get(keyOf(rule, found));
    if (known) return known;
    const count = this.#perRule.get(rule.id) ?? 0;
    if (count === PROBLEMS_PER_RULE - 1) return this.#overflowProblem(rule);
    this.#perRule.set(rule.id, count + 1);
    return this.#newProblem(rule, found);
  }

  #overflowProblem(rule: ProtocolRule): Mutable<Problem> {
    const others = { message: `More findings of this rule. At most ${PROBLEMS_PER_RULE} are listed separately.` };
    return this.#byKey.get(keyOf(rule, others)) ?? this.#newProblem(rule, others);
  }

  #newProblem(rule: ProtocolRule, found: RuleFinding): Mutable<Problem> {
    const topic = found.topic ?? rule.topic;
    const page = specPage(topic, this.#version ?? this.#state.requestedVersion ?? PROTOCOL_VERSIONS.at(-1)!);
    const problem: Mutable<Problem> = {
      id: this.#problems.length + 1,
      rule: rule.id,
      severity: rule.severity,
      title: rule.title,
      advice: found.advice ?? rule.advice,
      message: found.message,
      path: found.path,
      fault: found.fault,
      seqs: [],
      count: 0,
      related: found.seqs ?? [],
      ...page,
    };
    this.#problems.push(problem);
    if (this.#state.version === undefined) this.#unversioned.set(problem, topic);
    this.#byKey.set(keyOf(rule, found), problem);
    return problem;
  }
}

function keyOf(rule: ProtocolRule, { message, path }: RuleFinding): string {
  return `${rule.id} ${message} ${path?.map(String).join('\0') ?? ''}`;
}
