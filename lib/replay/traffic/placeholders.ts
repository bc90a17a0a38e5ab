/** What stands in a recording in the place of a secret: our mask, and the named placeholders of shared files. */
const PLACEHOLDER = /•••|\[redacted:[a-z-]{1,40}:([0-9a-f]{8})\]/g;

/** True for a text in which something was taken out. */
export function hasPlaceholder(text: string): boolean {
  return text.search(PLACEHOLDER) >= 0;
}

/**
 * What is shown of `after` beside `before`: where something was taken out of the one and nothing out of the other, that may be
 * the secret itself, of which only its kind is told. `shown` is `after` as it would be written.
 */
export function shownUnlessSecret(before: string, after: string, shown: string): string {
  if (after === '' || !hasPlaceholder(before) || hasPlaceholder(after)) return shown;
  const [, rule = 'masked'] = /\[redacted:([a-z-]{1,40}):[0-9a-f]{8}\]/.exec(before) ?? [];
  return `[not shown: ${rule}]`;
}

/** The digits by which values for the placeholders of a text can be given, each once. */
export function secretDigits(text: string): readonly string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].flatMap(([, digits]) => digits ?? []))];
}

/** The text with the values that are known, by the digits of their placeholders, where they were. */
export function fillSecrets(text: string, secrets: ReadonlyMap<string, string>): string {
  return text.replace(PLACEHOLDER, (whole, digits?: string) => (digits && secrets.get(digits)) ?? whole);
}

/** True if both texts may have been the same before something was taken out of them. Linear. */
export function mayBeSame(before: string, after: string): boolean {
  if (before === after) return true;
  if (hasPlaceholder(before)) return fits(before, after);
  return hasPlaceholder(after) && fits(after, before);
}

function fits(pattern: string, text: string): boolean {
  return matchesPieces(piecesOf(pattern), text);
}

/** What is around the placeholders of a text, in order; one piece more than there are placeholders. */
export function piecesOf(text: string): readonly string[] {
  return text.replace(PLACEHOLDER, '•••').split('•••');
}

/** True if a text has these pieces, and anything in the places between them. Linear. */
export function matchesPieces(pieces: readonly string[], text: string): boolean {
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
