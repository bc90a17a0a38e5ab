import { type SpecTopic, specPage } from '@/lib/protocol/spec-pages';
import { decode, type Message, messagesOf, parseJson } from '@/lib/store/classify';
import { toLifecycleEvent } from '@/lib/store/state/connection-facts';
import { FLAG, type Frame } from '@/lib/wire/frame';
import { readHttpFrame } from '@/lib/wire/http-frame';
import { PROTOCOL_VERSIONS, type ProtocolVersion } from '@/lib/wire/lifecycle';
import type { Problem } from './problem';
import { ProtocolState, type SkippedChecks } from './protocol-state';
import { type Checks, type Report, type Rule, type RuleFinding, SEVERITY_RANK } from './rule';
import { RULES } from './rules/registry';

/** Problems of one rule that are told apart, the last standing for all others; frames that each names. */
export const PROBLEMS_PER_RULE = 200;
export const FRAMES_PER_PROBLEM = 50;
/** Problems that a frame is remembered to have which do not name it, besides graver ones than these. */
export const MARKS_PER_FRAME = 4;

const MESSAGES: readonly Message['kind'][] = ['request', 'notification', 'response', 'error'];

/** What checks are sorted by: the kind of message, or what else they look at. */
type Kind = Message['kind'] | 'junk' | 'frame' | 'http';
type Check<K extends Kind> = NonNullable<Checks[K extends 'junk' | 'frame' | 'http' ? K : 'message']>;

interface Sorted<K extends Kind> {
  readonly rule: Rule;
  readonly check: Check<K>;
  readonly report: Report;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Looks at every frame of one log, in order, with every rule. A frame costs the same however long the log is. */
export class ProblemFinder {
  /** Rules that threw, a mistake of ours: they found nothing in some frame. */
  readonly failed = new Set<string>();
  readonly #session: ProtocolState;
  /** Made once: a flood of messages makes no closures. */
  readonly #checks = this.#sorted();
  readonly #problems: Mutable<Problem>[] = [];
  readonly #byKey = new Map<string, Mutable<Problem>>();
  readonly #perRule = new Map<string, number>();
  readonly #continuing = new Set<string>();
  readonly #changed = new Set<Mutable<Problem>>();
  /** Found while no version was agreed on, and what they are about. */
  readonly #undated = new Map<Mutable<Problem>, SpecTopic>();
  #marks: number[] = [];
  #seq = 0;
  /** What the frame being looked at has: ids of problems, how many of them do not name it, and how grave the marked ones are. */
  readonly #here = new Set<number>();
  #unnamed = 0;
  #gravest = -1;
  #version: ProtocolVersion | undefined;

  /** `onSchema` is told before a result is held against its tool's schema, which may take for ever. */
  constructor(onSchema?: (seq: number) => void) {
    this.#session = new ProtocolState(onSchema);
  }

  /** Leaves these results unchecked, and says so. */
  skipChecks(unchecked: SkippedChecks): void {
    this.#session.unchecked = unchecked;
  }

  /** Problems found so far, in the order found. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** seq of the newest frame looked at. */
  get seq(): number {
    return this.#seq;
  }

  /** Problems that are new or have more frames since the last call, as copies. */
  takeChanged(): Problem[] {
    const changed = [...this.#changed].map((problem) => ({ ...problem, seqs: [...problem.seqs] }));
    this.#changed.clear();
    return changed;
  }

  /** Which frames have which problems, as in a `CheckDone`: those looked at since the last call. */
  takeMarks(): Uint32Array {
    const marks = Uint32Array.from(this.#marks);
    this.#marks = [];
    return marks;
  }

  /** Looks at the next frame. Never throws: a rule that fails is a rule that finds nothing. */
  addFrame(frame: Frame): void {
    this.#seq = frame.seq;
    this.#here.clear();
    this.#unnamed = 0;
    this.#gravest = -1;
    if (frame.channel === 'protocol') this.#protocol(frame);
    else if (frame.channel === 'http') this.#http(frame);
    else if (frame.channel === 'lifecycle') {
      const event = toLifecycleEvent(decode(frame.bytes).text);
      if (event) this.#session.addLifecycle(event);
    }
    if (this.#undated.size > 0) this.#date();
  }

  /** One server is held against one version: what was found before that was agreed on cites its pages too. */
  #date(): void {
    const { version } = this.#session;
    if (version === undefined) return;
    for (const [problem, topic] of this.#undated) {
      Object.assign(problem, specPage(topic, version));
      this.#changed.add(problem);
    }
    this.#undated.clear();
  }

  /** Every rule's checks by what they look at, each with its way to tell. */
  #sorted(): { readonly [K in Kind]: readonly Sorted<K>[] } {
    const sorted = { request: [], notification: [], response: [], error: [], junk: [], frame: [], http: [] } as {
      readonly [K in Kind]: Sorted<K>[];
    };
    for (const rule of RULES) {
      const { kinds = MESSAGES, message, junk, frame, http } = rule.checks();
      const report: Report = (found) => this.#found(rule, found);
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
    // A piece of an over-long line is neither a message nor junk.
    if (goesOn || piece) return;
    const { text, invalidUtf8 } = decode(frame.bytes);
    const value = parseJson(text);
    const messages = messagesOf(value);
    this.#version = this.#session.version;
    const facts = { value, invalidUtf8 };
    this.#each('frame', (check, report) => check(frame, facts, this.#session, report));
    if (messages.length === 0) {
      this.#each('junk', (check, report) => check(frame, text, this.#session, report));
    }
    for (const message of messages) this.#message(frame, message, Array.isArray(value));
    this.#session.endHttpFrame();
  }

  #message(frame: Frame, message: Message, batch: boolean): void {
    const seen = this.#session.describe(frame.seq, frame.direction, message, batch);
    this.#version = seen.version ?? this.#session.version;
    this.#each(seen.kind, (check, report) => check(seen, this.#session, report));
    this.#session.addMessage(seen);
  }

  #http(frame: Frame): void {
    const http = readHttpFrame(decode(frame.bytes).text);
    if (!http) return;
    this.#session.addHttpFrame(frame.seq, http);
    this.#version = this.#session.version;
    this.#each('http', (check, report) => check(http, this.#session, report));
  }

  #each<K extends Kind>(kind: K, run: (check: Check<K>, report: Report) => void): void {
    for (const { rule, check, report } of this.#checks[kind]) {
      try {
        run(check, report);
      } catch {
        // What a server sends must not stop the other rules.
        this.failed.add(rule.id);
      }
    }
  }

  #found(rule: Rule, found: RuleFinding): void {
    const problem = this.#problemOf(rule, found);
    if (this.#here.has(problem.id)) return;
    this.#here.add(problem.id);
    problem.count++;
    this.#changed.add(problem);
    const named = problem.seqs.length < FRAMES_PER_PROBLEM;
    if (named) problem.seqs = [...problem.seqs, this.#seq];
    else if (this.#unnamed++ >= MARKS_PER_FRAME && SEVERITY_RANK[rule.severity] <= this.#gravest) return;
    this.#gravest = Math.max(this.#gravest, SEVERITY_RANK[rule.severity]);
    this.#marks.push(this.#seq, problem.id);
  }

  /** The problem that this is, known or new; beyond a number of them, the one that stands for all others of the rule. */
  #problemOf(rule: Rule, found: RuleFinding): Mutable<Problem> {
    const known = this.#byKey.get(keyOf(rule, found));
    if (known) return known;
    const count = this.#perRule.get(rule.id) ?? 0;
    if (count === PROBLEMS_PER_RULE - 1) return this.#othersOf(rule);
    this.#perRule.set(rule.id, count + 1);
    return this.#newProblem(rule, found);
  }

  #othersOf(rule: Rule): Mutable<Problem> {
    const others = { message: `Different things of this kind: no more than ${PROBLEMS_PER_RULE} are told apart.` };
    return this.#byKey.get(keyOf(rule, others)) ?? this.#newProblem(rule, others);
  }

  #newProblem(rule: Rule, found: RuleFinding): Mutable<Problem> {
    const topic = found.topic ?? rule.topic;
    const page = specPage(topic, this.#version ?? this.#session.wanted ?? PROTOCOL_VERSIONS.at(-1)!);
    const problem: Mutable<Problem> = {
      id: this.#problems.length + 1,
      rule: rule.id,
      severity: rule.severity,
      title: rule.title,
      advice: found.advice ?? rule.advice,
      message: found.message,
      path: found.path,
      seqs: [],
      count: 0,
      related: found.seqs ?? [],
      ...page,
    };
    this.#problems.push(problem);
    if (this.#version === undefined) this.#undated.set(problem, topic);
    this.#byKey.set(keyOf(rule, found), problem);
    return problem;
  }
}

function keyOf(rule: Rule, { message, path }: RuleFinding): string {
  return `${rule.id} ${message} ${path?.map(String).join('\0') ?? ''}`;
}
