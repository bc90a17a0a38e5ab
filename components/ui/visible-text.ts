import { HIDDEN_CHARACTERS } from '@/lib/wire/control-characters';

const HIDDEN = new RegExp(`[${HIDDEN_CHARACTERS}]`, 'gu');

function escapeSequence(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

/** Text with every hidden character written as an escape; lone surrogates too. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, escapeSequence);
}

/** A run of text as it was, or of escapes that stand for what can't be shown. */
export interface TextRun {
  readonly text: string;
  readonly escaped: boolean;
}

/** Splits text into shown runs and escapes of hidden characters, so that the two can be told apart. */
export function textRuns(text: string): TextRun[] {
  const runs: TextRun[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) runs.push({ text: text.slice(from, match.index), escaped: false });
    const last = runs.at(-1);
    const escaped = escapeSequence(match[0]);
    if (last?.escaped && match.index === from) runs[runs.length - 1] = { text: last.text + escaped, escaped: true };
    else runs.push({ text: escaped, escaped: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) runs.push({ text: text.slice(from), escaped: false });
  return runs;
}
