/**
 * Characters that show nothing or turn text around: control characters but tab and line feed, bidirectional controls,
 * zero-width spaces, blank letters, byte order marks, and the tags and variation selectors that hide text from people but not
 * from models. Joiners and the selector for emoji stay, emoji and scripts need them.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is meant alone, not joined to its neighbour
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff]|[\u{e0000}-\u{e01ef}]/gu;

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
