import { HIDDEN_CHARACTERS, unitEscapes } from '@/lib/wire/control-characters';

const HIDDEN = new RegExp(`[${HIDDEN_CHARACTERS}]`, 'gu');

/** Writes a string literal of TypeScript. Invisible characters are escaped. */
export function scriptString(text: string): string {
  return JSON.stringify(text).replace(HIDDEN, unitEscapes);
}

/** Writes a string literal of Python. The escapes of JSON mean the same there. */
export function pythonString(text: string): string {
  return JSON.stringify(text).replace(
    HIDDEN,
    (character) => `\\U${character.codePointAt(0)!.toString(16).padStart(8, '0')}`,
  );
}

/** Writes a text into a comment that it can't end, in any of the languages. */
export function commentText(text: string): string {
  return scriptString(text).replaceAll('*/', '*\\/').replaceAll('"""', '\\"\\"\\"');
}
