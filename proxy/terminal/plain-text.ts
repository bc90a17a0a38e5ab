/**
 * Control and format characters: they move the cursor, set a title, fill the clipboard or hide text. Joiners stay: emoji and
 * scripts need them.
 */
const CONTROLS = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text that came from outside, made fit for a terminal: control characters become U+FFFD. Linear time. */
export function plainText(text: string): string {
  return text.replace(CONTROLS, '\uFFFD');
}
