/**
 * Control and format characters. They can move the cursor, set a title, fill the clipboard or hide text. Joiners
 * stay, since emoji and scripts need them.
 */
const CONTROLS = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Makes text from outside safe for a terminal: control characters become U+FFFD. Linear time. */
export function plainText(text: string): string {
  return text.replace(CONTROLS, '\uFFFD');
}
