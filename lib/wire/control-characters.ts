/**
 * Matches an escape sequence: colours (CSI … m), any other CSI, strings (OSC, DCS, APC, PM, SOS) up to BEL or ST, or a
 * two-character escape; C1 forms too. Each part is a run with an optional end, so each character is read once. A string
 * without an end extends to the end of its line.
 */
export const ANSI_SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  /(?:\u001b\[|\u009b)([0-?]*)[ -/]*([@-~])?|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g;

/** Removes all escape sequences. */
export function withoutAnsi(text: string): string {
  return text.replace(ANSI_SEQUENCE, '');
}

/**
 * Characters that are invisible or reverse text: control characters except tab and line feed, bidirectional controls,
 * zero-width spaces, blank letters, byte order marks, lone surrogates, and tags and variation selectors, which hide
 * text from people but not from models. Joiners and the emoji selector are not included, because emoji and scripts need
 * them. Use it inside a character class of a RegExp with the flag `u`.
 */
export const HIDDEN_CHARACTERS = [
  '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180e',
  '\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff9-\\ufffb',
  '\\ud800-\\udfff\\u{e0000}-\\u{e01ef}',
].join('');

/** Returns an escape for each UTF-16 unit, as in JSON and JavaScript. */
export function unitEscapes(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
