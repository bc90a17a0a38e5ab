import { HIDDEN_CHARACTERS, unitEscapes } from '@/lib/wire/control-characters';

const HIDDEN = new RegExp(`[\\n\\t${HIDDEN_CHARACTERS}]`, 'gu');
/** Starts of commands that build servers read anywhere in a line: `##[error]`, `##vso[…]`, `##teamcity[…]`. */
const COMMAND = /##(?=[a-z]*\[)/gi;
/** Characters of the longest line. Messages of rules are shorter, unless a name is very long. */
const LINE_CHARS = 600;

/**
 * Makes text from a server one harmless line: no control or invisible characters, no line breaks, and no command of a
 * build server. The result may still start with `::`, which is a command only at the start of a line.
 */
export function plainLine(text: string): string {
  const line = text
    .slice(0, 4 * LINE_CHARS)
    .replace(/[\r\n\t]+/g, ' ')
    .replace(HIDDEN, '\uFFFD')
    .replace(COMMAND, '# #');
  return line.length <= LINE_CHARS ? line : `${line.slice(0, LINE_CHARS - 1).toWellFormed()}…`;
}

/**
 * Writes JSON in which strings keep their value, but no character acts on a terminal or a build server: control and
 * invisible characters and the second # of `##` are escaped.
 */
export function quietJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(/##/g, '#\\u0023').replace(ESCAPED, unitEscapes);
}

// Without line feeds, which stand between the lines of indented JSON. Those of strings are escaped already.
const ESCAPED = new RegExp(`[${HIDDEN_CHARACTERS}]`, 'gu');
