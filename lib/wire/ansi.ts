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
