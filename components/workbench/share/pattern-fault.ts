import { patternFinder } from '@/lib/redact/extra-patterns';
import type { ExtraPattern } from '@/lib/redact/finding';
import { isFailure } from '@/lib/wire/lifecycle';

/** `/…/` is a regular expression, anything else is meant as it stands. */
export function patternOf(text: string): ExtraPattern {
  const [, regex] = /^\/(.+)\/$/s.exec(text) ?? [];
  return regex === undefined ? { literal: text } : { regex };
}

/** Why these can't be masked, and what to do: sentences. Undefined if they can be. */
export function patternFault(texts: readonly string[]): string | undefined {
  try {
    patternFinder(texts.map(patternOf));
    return undefined;
  } catch (error) {
    if (isFailure(error)) return `${error.message} ${error.advice}`;
    throw error;
  }
}
