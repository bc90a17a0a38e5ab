import type { AnswerFrom, RuleOwner } from '@/lib/mcp/message-interceptor';
import type { Direction } from '@/lib/wire/frame';
import type { InterceptAction, InterceptRule, ShownRule } from '@/lib/wire/intercept';
import type { Failure } from '@/lib/wire/lifecycle';
import { compilePassing, type FrameFilter } from './passing-filter';
import type { PassingFrame, PassingMessage } from './passing-message';

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

/** Returns true if `action` is possible for messages of one frame. */
export function isPossible(
  action: Pick<InterceptAction, 'do'> | { readonly do: 'release' },
  messages: readonly PassingMessage[],
): boolean {
  if (action.do === 'answer-from') return messages.some(isRequest);
  if (!(ANSWERS as ReadonlySet<string>).has(action.do)) return messages.length > 0;
  return messages.some((message) => isRequest(message) || isResponse(message));
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
  /** Set for `answer-from`. Of this rule alone, so that equal requests of other connections don't count. */
  readonly answerFrom: AnswerFrom | undefined;
  readonly #filter: FrameFilter;
  #matched = 0;
  #taken = 0;

  /** Throws {@link InterceptError} `bad-rule`. */
  constructor(rule: InterceptRule, owner: RuleOwner) {
    const filter = compilePassing(rule.when ?? '');
    if (typeof filter === 'string') {
      throw new InterceptError({
        code: 'bad-rule',
        message: `Rule “${rule.name}” has an invalid filter: ${filter}`,
        advice: 'Correct its filter.',
      });
    }
    this.rule = rule;
    this.owner = owner;
    this.#filter = filter;
    this.answerFrom = rule.action.do === 'answer-from' ? owner.openAnswers?.(rule.action.file) : undefined;
  }

  /** True if the rule may take messages of this direction. */
  concerns(direction: Direction): boolean {
    const { rule } = this;
    return (rule.direction ?? direction) === direction && this.#taken < (rule.times ?? Number.POSITIVE_INFINITY);
  }

  /** Counts the frame if it matches. Returns true if the rule takes it. */
  takes(direction: Direction, frame: PassingFrame): boolean {
    if (!this.concerns(direction) || !isPossible(this.rule.action, this.matching(frame))) return false;
    const { after = 0, every = 1 } = this.rule;
    this.#matched++;
    const counted = this.#matched - after;
    if (counted <= 0 || counted % every !== 0) return false;
    this.#taken++;
    return true;
  }

  /** Returns the messages of a frame that the filter matches. */
  matching(frame: PassingFrame): readonly PassingMessage[] {
    return frame.messages.filter(this.#filter(frame));
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
