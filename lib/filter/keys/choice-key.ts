import type { Subject } from '../subject';
import type { FilterKey, RowTest } from './filter-key';

/** One of the words that a key takes. */
export interface Choice {
  readonly note?: string;
  /** It is about rows that are hidden else. */
  readonly hidden?: true;
  readonly test: (subject: Subject) => RowTest;
}

interface ChoiceKey extends Pick<FilterKey, 'name' | 'meaning' | 'wants'> {
  readonly choices: Readonly<Record<string, Choice>>;
}

/** A key that takes one of a few words. */
export function choiceKey({ choices, ...key }: ChoiceKey): FilterKey {
  const words = Object.keys(choices);
  const choiceOf = (value: string) => choices[words.find((word) => word.toLowerCase() === value.toLowerCase()) ?? ''];
  return {
    ...key,
    examples: words,
    suggestions: words.map((value) => ({ value, note: choices[value]?.note })),
    asksForHidden: ({ value }) => choiceOf(value)?.hidden === true,
    faultOf: ({ value }) =>
      choiceOf(value) === undefined
        ? `${key.name}: takes ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`
        : undefined,
    testFor: ({ value }, subject) => choiceOf(value)!.test(subject),
  };
}
