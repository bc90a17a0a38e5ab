import { visibleText } from '@/components/ui/visible-text';
import { stringifyJson, tryParseJson } from '@/lib/json/exact';
import type { Choice, View } from '@/lib/schema/view-types';

/** Longest ghost text: one line. */
const LONGEST = 120;

/** What an unset field shows in its place: the default the server says it applies, or nothing. Never sent. */
export function ghostText(view: View, value: unknown): string | undefined {
  if (value === null) return 'null';
  if (value === '') return 'empty string';
  return view.default === undefined ? undefined : `default ${brief(view.default.value)}`;
}

/** A value in one short line, hidden characters made visible. */
export function brief(value: unknown): string {
  try {
    const text = typeof value === 'string' && value !== '' ? value : stringifyJson(value);
    return visibleText(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
  } catch {
    return '…';
  }
}

/** `Title — value`, or the value alone: text as it is, unless it could be taken for a value of another type. */
export function choiceLabel({ value, title }: Choice, all: readonly Choice[]): string {
  const ambiguous = typeof value === 'string' && (value === '' || (mixed(all) && tryParseJson(value).ok));
  const text = ambiguous ? stringifyJson(value) : brief(value);
  return title === undefined || title === text ? text : `${title} — ${text}`;
}

const known = new WeakMap<readonly Choice[], boolean>();

/** Whether there are others than texts among the choices; looked for once. */
function mixed(choices: readonly Choice[]): boolean {
  const found = known.get(choices) ?? choices.some(({ value }) => typeof value !== 'string');
  known.set(choices, found);
  return found;
}
