import { countOf, formatDuration } from '@/lib/wire/format';
import type { InterceptAction, InterceptRule } from '@/lib/wire/intercept';
import type { PageAction } from './rule-draft';

/** The actions of a page's rule, in the order of their menu. */
export const ACTION_LABELS: Readonly<Record<PageAction, string>> = {
  hold: 'Hold it for me',
  delay: 'Delay it',
  drop: 'Drop it',
  duplicate: 'Duplicate it',
  replace: 'Replace it with a text',
  error: 'Answer with an error',
  result: 'Answer with a result',
  cut: 'Drop it and end the stream',
};

/** Returns what an action does, in a few words: "delay 3.0 s". */
export function actionWords(action: InterceptAction): string {
  switch (action.do) {
    case 'delay':
      return `delay ${formatDuration(action.ms * 1000)}`;
    case 'duplicate':
      return action.copies === undefined || action.copies === 1 ? 'duplicate' : `pass, and ${action.copies} copies`;
    case 'replace':
      return 'replace with a text';
    case 'error':
      return `answer with error ${action.code}`;
    case 'result':
      return 'answer with a result';
    case 'answer-from':
      return `answer from ${action.file}`;
    case 'cut':
      return 'drop, and end the stream';
    default:
      return action.do;
  }
}

/** Returns which of the matching messages a rule takes: "every third, after 2, at most 5". '' for all. */
export function countWords({ after = 0, every = 1, times }: Pick<InterceptRule, 'after' | 'every' | 'times'>): string {
  return [
    every > 1 && `every ${ordinal(every)}`,
    after > 0 && `after the first ${after === 1 ? 'one' : after}`,
    times !== undefined && (times === 1 ? 'once' : `at most ${countOf(times, 'time')}`),
  ]
    .filter(Boolean)
    .join(', ');
}

function ordinal(count: number): string {
  const last = count % 10;
  const isTeen = Math.floor((count % 100) / 10) === 1;
  const suffix = isTeen ? 'th' : last === 1 ? 'st' : last === 2 ? 'nd' : last === 3 ? 'rd' : 'th';
  return `${count}${suffix}`;
}

/** The receiver of the messages that a rule takes. */
export function directionWords(direction: InterceptRule['direction']): string {
  if (direction === undefined) return '⇄ both directions';
  return direction === 'to-server' ? '→ to server' : '← to client';
}

/** The actions of others' rules. The log doesn't have the details. */
export const DOES: ReadonlyMap<string, string> = new Map([
  ['hold', 'hold'],
  ['delay', 'delay'],
  ['drop', 'drop'],
  ['duplicate', 'duplicate'],
  ['replace', 'replace with a text'],
  ['error', 'answer with an error'],
  ['result', 'answer with a result'],
  ['answer-from', 'answer from a recording'],
  ['cut', 'drop, and end the stream'],
]);
