import type { Direction } from '@/lib/wire/frame';
import type { InterceptAction, InterceptRule, ShownRule } from '@/lib/wire/intercept';
import type { Failure } from '@/lib/wire/lifecycle';
import { compilePassing, type FrameTest } from './passing-filter';
import type { PassingFrame, PassingMessage } from './passing-message';

/** The content of a response, as JSON text. */
export type RecordedAnswer = { readonly result: string } | { readonly error: string };

/** Somebody who has rules: a page, or a file. Compared by identity. */
export interface RuleOwner {
  /** Name of the rules' file, for the log. Absent for a page. */
  readonly file?: string;
  /**
   * Returns the answer that a recording has to a request; undefined if it has none. `params` is JSON text. Absent: the
   * owner has no recordings.
   */
  answerFrom?(file: string, method: string, params: string | undefined): RecordedAnswer | undefined;
}

/** The rules of an owner, and its overlay as text. */
export interface RuleSet {
  readonly owner: RuleOwner;
  readonly rules: readonly InterceptRule[];
  readonly overlay?: string;
}

/** A failure of interception, for people. */
export class InterceptError extends Error implements Failure {
  readonly code: string;
  readonly advice: string;

  constructor({ code, message, advice }: Failure) {
    super(message);
    this.name = 'InterceptError';
    this.code = code;
    this.advice = advice;
  }
}

/** Actions that need a request or a response. Their rules don't take other messages. */
const ANSWERS: ReadonlySet<InterceptAction['do']> = new Set(['error', 'result']);

/** Returns true if `action` is possible for a frame. */
export function isPossible(
  action: Pick<InterceptAction, 'do'> | { readonly do: 'release' },
  frame: PassingFrame,
): boolean {
  if (action.do === 'answer-from') return frame.messages.some(isRequest);
  if (!(ANSWERS as ReadonlySet<string>).has(action.do)) return true;
  return frame.messages.some((message) => isRequest(message) || isResponse(message));
}

export function isRequest({ kind }: PassingMessage): boolean {
  return kind === 'request';
}

export function isResponse({ kind }: PassingMessage): boolean {
  return kind === 'response' || kind === 'error';
}

/** A rule in force, and how many messages it has met. */
export class ActiveRule {
  readonly rule: InterceptRule;
  readonly owner: RuleOwner;
  readonly #test: FrameTest;
  #matched = 0;
  #taken = 0;

  /** Throws {@link InterceptError} `bad-rule`. */
  constructor(rule: InterceptRule, owner: RuleOwner) {
    const test = compilePassing(rule.when ?? '');
    if (typeof test === 'string') {
      throw new InterceptError({
        code: 'bad-rule',
        message: `Rule “${rule.name}” has an invalid filter: ${test}`,
        advice: 'Correct its filter.',
      });
    }
    this.rule = rule;
    this.owner = owner;
    this.#test = test;
  }

  /** True if the rule may take messages of this direction. */
  concerns(direction: Direction): boolean {
    const { rule } = this;
    return (rule.direction ?? direction) === direction && this.#taken < (rule.times ?? Number.POSITIVE_INFINITY);
  }

  /** Counts the frame if it matches. Returns true if the rule takes it. */
  takes(direction: Direction, frame: PassingFrame): boolean {
    if (!this.concerns(direction) || !isPossible(this.rule.action, frame) || !this.#test(frame)) return false;
    const { after = 0, every = 1 } = this.rule;
    this.#matched++;
    const counted = this.#matched - after;
    if (counted <= 0 || counted % every !== 0) return false;
    this.#taken++;
    return true;
  }

  /** Returns true if the rule says the same as another, so that its counts go on. */
  isSame(rule: InterceptRule): boolean {
    return JSON.stringify(this.rule) === JSON.stringify(rule);
  }

  get shown(): ShownRule {
    const { action, ...rule } = this.rule;
    return { ...rule, do: action.do, ...(this.owner.file !== undefined && { file: this.owner.file }) };
  }
}
