import { compactJson, prettyJson, tryParseJson } from '@/lib/json/exact';
import { JsonSource } from '@/lib/json/source';
import { type HoldDecision, INTERCEPT_LIMITS } from '@/lib/wire/intercept';
import type { HeldEdit } from './held-edits';
import { errorAnswer, type RuleFaults } from './rule-draft';

/** Longest subject to show, in characters. */
const SUBJECT_CHARS = 100;

/** Returns the tool, prompt or URI that a message is about. */
export function heldSubject(text: string): string | undefined {
  const params = JsonSource.parse(text)?.member('params');
  const value = (params?.member('name') ?? params?.member('uri'))?.value;
  return typeof value === 'string' ? value.slice(0, SUBJECT_CHARS) : undefined;
}

/** Returns the usual result for a request of this method. */
export function usualResult(method: string | undefined): string {
  return method === 'tools/call' ? '{"content":[{"type":"text","text":""}]}' : '{}';
}

/** The decision of the primary button, or the faults of the fields. */
export interface Proposal {
  /** Absent if the fields are wrong. */
  readonly decision?: HoldDecision;
  readonly faults?: RuleFaults;
}

/** Returns the decision that the typed fields mean. */
export function proposalOf(edit: HeldEdit, original: string, method: string | undefined): Proposal {
  if (edit.instead === 'Error') {
    const { action, fault } = errorAnswer(edit);
    return fault ? { faults: fault } : { decision: action };
  }
  if (edit.instead === 'Result') {
    const result = edit.result ?? usualResult(method);
    if (!tryParseJson(result).ok) return { faults: { result: 'This is not JSON. Fix it first.' } };
    return { decision: { do: 'result', result } };
  }
  const text = sentText(edit, original);
  if (text === original) return { decision: { do: 'release' } };
  // A string of this length has at least as many bytes.
  if (text.length > INTERCEPT_LIMITS.messageBytes)
    return { faults: { text: 'This message is too large. Shorten it.' } };
  return { decision: { do: 'release', text } };
}

/** Returns the message with a member on each line, as the editor shows it until it is changed. */
export function editableText(original: string): string {
  return tryParseJson(original).ok ? prettyJson(original) : original;
}

/**
 * Returns the text that would be passed on. Only valid JSON can be joined without a change of its meaning. A message
 * that would differ from the original only by its white space is passed on as it came.
 */
export function sentText({ text, joins }: Pick<HeldEdit, 'text' | 'joins'>, original: string): string {
  if (text === undefined) return original;
  if (!joins || !canJoin(text)) return text;
  const joined = compactJson(text);
  return joined === compactJson(original) ? original : joined;
}

/** Returns true for JSON over several lines. */
export function canJoin(text: string): boolean {
  return text.includes('\n') && tryParseJson(text).ok;
}

/** Parses a delay in ms; undefined if it is not a possible one. */
export function delayOf(text: string): number | undefined {
  const ms = /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN;
  return ms <= INTERCEPT_LIMITS.delayMs ? ms : undefined;
}
