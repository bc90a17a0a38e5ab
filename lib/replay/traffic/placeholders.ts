/** Placeholders of secrets in a recording: our mask, and the named ones of shared files. */
const PLACEHOLDER = /•••|\[redacted:[a-z-]{1,40}:([0-9a-f]{8})\]/g;

/** Texts that every placeholder contains one of. */
export const PLACEHOLDER_MARKS = ['•••', '[redacted:'] as const;

/** True for a text with a redacted part. */
export function hasPlaceholder(text: string): boolean {
  return text.search(PLACEHOLDER) >= 0;
}

/**
 * Returns the text to show for `after` next to `before`. If only `before` is redacted, `after` may be the secret
 * itself, so only the kind of secret is shown. `shown` is the formatted `after`.
 */
export function shownUnlessSecret(before: string, after: string, shown: string): string {
  if (after === '' || !hasPlaceholder(before) || hasPlaceholder(after)) return shown;
  const [, rule = 'masked'] = /\[redacted:([a-z-]{1,40}):[0-9a-f]{8}\]/.exec(before) ?? [];
  return `[not shown: ${rule}]`;
}

/** Lists the digits of the placeholders in a text, each once. Values are given by these digits. */
export function secretDigits(text: string): readonly string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].flatMap(([, digits]) => digits ?? []))];
}

/** Replaces placeholders by the values that are known for their digits. */
export function fillSecrets(text: string, secrets: ReadonlyMap<string, string>): string {
  return text.replace(PLACEHOLDER, (whole, digits?: string) => (digits && secrets.get(digits)) ?? whole);
}

/** True if two texts may have been equal before redaction. Linear. */
export function mayBeSame(before: string, after: string): boolean {
  if (before === after) return true;
  if (hasPlaceholder(before)) return fits(before, after);
  return hasPlaceholder(after) && fits(after, before);
}

function fits(pattern: string, text: string): boolean {
  return matchesPieces(piecesOf(pattern), text);
}

/** Splits a text at its placeholders. */
export function piecesOf(text: string): readonly string[] {
  return text.replace(PLACEHOLDER, '•••').split('•••');
}

/** True if a text consists of these pieces with anything between them. Linear. */
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
