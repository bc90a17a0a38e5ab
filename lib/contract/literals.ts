import { HIDDEN_CHARACTERS } from '@/lib/wire/control-characters';

const HIDDEN = new RegExp(`[${HIDDEN_CHARACTERS}]`, 'gu');

/** Writes a string literal of TypeScript. Invisible characters are escaped. */
export function scriptString(text: string): string {
  return JSON.stringify(text).replace(HIDDEN, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${hex(character.charCodeAt(at), 4)}`).join(''),
  );
}

/** Writes a string literal of Python. The escapes of JSON mean the same there. */
export function pythonString(text: string): string {
  return JSON.stringify(text).replace(HIDDEN, (character) => `\\U${hex(character.codePointAt(0)!, 8)}`);
}

/** Writes a text into a comment that it can't end, in any of the languages. */
export function commentText(text: string): string {
  return scriptString(text).replaceAll('*/', '*\\/').replaceAll('"""', '\\"\\"\\"');
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
