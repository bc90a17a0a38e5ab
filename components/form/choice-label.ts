import { stringifyJson, tryParseJson } from '@/lib/schema/json';
import type { Choice } from '@/lib/schema/shape';
import { brief } from './ghost';

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
