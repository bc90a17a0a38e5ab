import { HIDDEN_CHARACTERS } from '@/lib/wire/hidden-characters';

const HIDDEN = new RegExp(`[${HIDDEN_CHARACTERS}]`, 'gu');

/** Text from outside in a line of Markdown: a code span that nothing in it ends, with what can't be seen as escapes. */
export function codeSpan(text: string, mostCharacters: number): string {
  const line = visible(cut(text, mostCharacters)).replace(/\s+/g, ' ').trim();
  if (line === '') return '` `';
  const ticks = '`'.repeat(longestRun(line) + 1);
  // A space on both sides is taken off again: what begins or ends with a backtick needs it.
  return /^`|`$/.test(line) ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`;
}

/** The same as a block of its own. The fence is longer than any in it. */
export function codeBlock(text: string, language: string, mostCharacters: number): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${visible(cut(text, mostCharacters)).replace(/\n+$/, '')}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}… (${text.length - most} characters more)` : text;
}

function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}
