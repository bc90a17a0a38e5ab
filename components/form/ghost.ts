import { visibleText } from '@/components/ui/visible-text';
import { stringifyJson } from '@/lib/schema/json';
import type { View } from '@/lib/schema/shape';

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
