import { HIDDEN_CHARACTERS } from '@/lib/wire/control-characters';

const HIDDEN = new RegExp(`[${HIDDEN_CHARACTERS}]`, 'gu');

function escapeSequence(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

/** Replaces every hidden character and lone surrogate by an escape such as `\u200b`. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, escapeSequence);
}

/** A run of plain text, or of escapes for hidden characters. */
export interface TextRun {
  readonly text: string;
  readonly escaped: boolean;
}

/** Splits text into plain runs and escapes of hidden characters, so that they can be drawn differently. */
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
