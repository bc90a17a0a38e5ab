import { tryParseJson } from '@/lib/json/exact';
import type { Direction } from '@/lib/wire/frame';
import { INTERCEPT_LIMITS, type InterceptAction, type InterceptRule } from '@/lib/wire/intercept';

/** The actions of a page's rule. Only a file can answer from a recording. */
export type PageAction = Exclude<InterceptAction['do'], 'answer-from'>;

/** The fields of a rule's form, as typed. */
export interface RuleDraft {
  readonly name: string;
  readonly direction: Direction | 'both';
  readonly when: string;
  readonly after: string;
  readonly every: string;
  readonly times: string;
  readonly action: PageAction;
  /** Delay in milliseconds. */
  readonly ms: string;
  readonly copies: string;
  /** The text that replaces a message. */
  readonly text: string;
  readonly code: string;
  readonly message: string;
  /** JSON text; blank for none. */
  readonly data: string;
  /** JSON text. */
  readonly result: string;
}

export const NEW_RULE: RuleDraft = {
  name: '',
  direction: 'both',
  when: '',
  after: '',
  every: '',
  times: '',
  action: 'hold',
  ms: '3000',
  copies: '1',
  text: '',
  code: '-32603',
  message: 'Internal error',
  data: '',
  result: '{"content":[{"type":"text","text":""}]}',
};

/** Returns the form's fields for a rule. Fields of other actions have their usual values. */
export function ruleDraft(rule: InterceptRule): RuleDraft {
  const { name, direction = 'both', when = '', after, every, times } = rule;
  const counts = { after: written(after), every: written(every), times: written(times) };
  return { ...NEW_RULE, name, direction, when, ...counts, ...actionFields(rule.action) };
}

function written(count: number | undefined): string {
  return count === undefined ? '' : String(count);
}

function actionFields(action: InterceptAction): Partial<RuleDraft> & Pick<RuleDraft, 'action'> {
  switch (action.do) {
    case 'delay':
      return { action: action.do, ms: String(action.ms) };
    case 'duplicate':
      return { action: action.do, copies: String(action.copies ?? 1) };
    case 'replace':
      return { action: action.do, text: action.text };
    case 'error':
      return { action: action.do, code: String(action.code), message: action.message, data: action.data ?? '' };
    case 'result':
      return { action: action.do, result: action.result };
    case 'answer-from':
      return { action: 'hold' };
    default:
      return { action: action.do };
  }
}

/** The faults of the fields, as sentences. */
export type RuleFaults = Readonly<Partial<Record<keyof RuleDraft, string>>>;

/**
 * Returns the rule that a form describes, or what is wrong with it. `taken`: names of the other rules. The filter is
 * checked elsewhere, since it is also checked while it is typed.
 */
export function ruleOf(draft: RuleDraft, taken: ReadonlySet<string>): InterceptRule | RuleFaults {
  const faults: { -readonly [Field in keyof RuleDraft]?: string } = {};
  const name = draft.name.trim();
  if (name === '') faults.name = 'Give the rule a name.';
  else if (taken.has(name)) faults.name = 'Another rule has this name.';
  const count = (field: 'after' | 'every' | 'times' | 'ms' | 'copies', least: number, most: number) => {
    const number = wholeNumber(draft[field]);
    if (number === undefined || (number >= least && number <= most)) return number;
    faults[field] =
      most === Number.MAX_SAFE_INTEGER
        ? `Enter a whole number from ${least}.`
        : `Enter a whole number from ${least} to ${most}.`;
    return undefined;
  };
  const [after, every, times] = [
    count('after', 0, Number.MAX_SAFE_INTEGER),
    count('every', 1, Number.MAX_SAFE_INTEGER),
    count('times', 1, Number.MAX_SAFE_INTEGER),
  ];
  const action = actionOf(draft, faults, count);
  if (Object.keys(faults).length > 0) return faults;
  return {
    name,
    ...(draft.direction !== 'both' && { direction: draft.direction }),
    ...(draft.when.trim() !== '' && { when: draft.when.trim() }),
    ...(after !== undefined && after > 0 && { after }),
    ...(every !== undefined && every > 1 && { every }),
    ...(times !== undefined && { times }),
    action,
  };
}

/** Returns true for a rule, and false for faults. */
export function isRule(made: InterceptRule | RuleFaults): made is InterceptRule {
  return typeof made.action === 'object';
}

/** Returns undefined for a blank text, and NaN for anything else that is not a whole number. */
function wholeNumber(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return /^-?\d+$/.test(trimmed) ? Number(trimmed) : Number.NaN;
}

function actionOf(
  draft: RuleDraft,
  faults: { -readonly [Field in keyof RuleDraft]?: string },
  count: (field: 'ms' | 'copies', least: number, most: number) => number | undefined,
): InterceptAction {
  switch (draft.action) {
    case 'delay': {
      const ms = count('ms', 0, INTERCEPT_LIMITS.delayMs);
      if (ms === undefined) faults.ms ??= `Enter a whole number from 0 to ${INTERCEPT_LIMITS.delayMs}.`;
      return { do: 'delay', ms: ms ?? 0 };
    }
    case 'duplicate':
      return { do: 'duplicate', copies: count('copies', 1, INTERCEPT_LIMITS.copies) ?? 1 };
    case 'replace':
      return { do: 'replace', text: draft.text };
    case 'error': {
      const answer = errorAnswer(draft);
      if (answer.fault !== undefined) Object.assign(faults, answer.fault);
      return answer.action;
    }
    case 'result':
      if (!tryParseJson(draft.result).ok) faults.result = NOT_JSON;
      return { do: 'result', result: draft.result };
    default:
      return { do: draft.action };
  }
}

const NOT_JSON = 'This is not JSON. Fix it, or replace the message with a text.';

/** Returns an answer with an error from the fields of a form, and what is wrong with them. */
export function errorAnswer(draft: Pick<RuleDraft, 'code' | 'message' | 'data'>): {
  readonly action: Extract<InterceptAction, { do: 'error' }>;
  readonly fault: RuleFaults | undefined;
} {
  const code = wholeNumber(draft.code);
  const faults: { code?: string; data?: string } = {};
  if (code === undefined || !Number.isSafeInteger(code)) faults.code = 'Enter a whole number, such as -32603.';
  const data = draft.data.trim();
  if (data !== '' && !tryParseJson(data).ok) faults.data = 'This is not JSON. Fix it or leave it out.';
  return {
    action: { do: 'error', code: code ?? 0, message: draft.message, ...(data !== '' && { data }) },
    fault: Object.keys(faults).length > 0 ? faults : undefined,
  };
}
