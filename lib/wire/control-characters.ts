/**
 * One escape sequence: colours (CSI … m), any other CSI, strings (OSC, DCS, APC, PM, SOS) up to BEL or ST, or a two-character escape. C1 forms
 * too. Every part is a plain run followed by an optional end, so that each character is read once; a string that never ends takes its line.
 */
export const ANSI_SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  /(?:\u001b\[|\u009b)([0-?]*)[ -/]*([@-~])?|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g;

/** The text without any escape sequence. */
export function withoutAnsi(text: string): string {
  return text.replace(ANSI_SEQUENCE, '');
}

/**
 * Characters that show nothing or turn text around: control characters but tab and line feed, bidirectional controls,
 * zero-width spaces, blank letters, byte order marks, lone surrogates, and the tags and variation selectors that hide text from
 * people but not from models. Joiners and the selector for emoji are none, emoji and scripts need them. The inside of a
 * character class, for a RegExp with the flag `u`.
 */
export const HIDDEN_CHARACTERS = [
  '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180e',
  '\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff9-\\ufffb',
  '\\ud800-\\udfff\\u{e0000}-\\u{e01ef}',
].join('');
