import type { InboxState, Question } from '@/lib/store/state';

/**
 * The question that the address names, whatever became of it. If it names none, the oldest that waits; where nobody is there to
 * answer, else the newest that is over.
 */
export function shownQuestion(
  { waiting, over }: InboxState,
  item: string | undefined,
  readOnly = false,
): Question | undefined {
  if (item === undefined) return waiting[0] ?? (readOnly ? over[0] : undefined);
  return [...waiting, ...over].find(({ key }) => key === item);
}
