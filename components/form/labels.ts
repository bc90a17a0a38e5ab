import { visibleText } from '@/components/ui/visible-text';
import { stringifyJson, tryParseJson } from '@/lib/json/exact';
import type { FieldChoice, View } from '@/lib/schema/view-types';

/** Characters of a value in one line. */
const LONGEST = 120;

/** Returns the placeholder of an unset field: the default that the server applies, if any. It is never sent. */
export function ghostText(view: View, value: unknown): string | undefined {
  if (value === null) return 'null';
  if (value === '') return 'empty string';
  return view.default === undefined ? undefined : `default ${brief(view.default.value)}`;
}

/** Returns a value in one short line, with hidden characters made visible. */
export function brief(value: unknown): string {
  try {
    const text = typeof value === 'string' && value !== '' ? value : stringifyJson(value);
    return visibleText(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
  } catch {
    return '…';
  }
}

/** Returns `Title — value`, or the value alone. A string is quoted if it could be taken for another type. */
export function choiceLabel({ value, title }: FieldChoice, all: readonly FieldChoice[]): string {
  const ambiguous = typeof value === 'string' && (value === '' || (mixed(all) && tryParseJson(value).ok));
  const text = ambiguous ? stringifyJson(value) : brief(value);
  return title === undefined || title === text ? text : `${title} — ${text}`;
}

const known = new WeakMap<readonly FieldChoice[], boolean>();

/** True if not all choices are strings. Cached. */
function mixed(choices: readonly FieldChoice[]): boolean {
  const found = known.get(choices) ?? choices.some(({ value }) => typeof value !== 'string');
  known.set(choices, found);
  return found;
}
