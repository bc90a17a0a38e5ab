import type { InboxState, Question } from '@/lib/store/state';

/** The question that the address names, whatever became of it. If it names none, the oldest that waits. */
export function shownQuestion({ waiting, over }: InboxState, item: string | undefined): Question | undefined {
  return item === undefined ? waiting[0] : [...waiting, ...over].find(({ key }) => key === item);
}
