import type { FieldValue } from './ast';

/**
 * Returns a case-insensitive test of whole strings, in which an unquoted `*` matches any characters. Takes linear time,
 * however many stars there are.
 */
export function patternTest({ value, quoted }: FieldValue): (text: string) => boolean {
  const wanted = value.toLowerCase();
  if (quoted || !wanted.includes('*')) return (text) => text.toLowerCase() === wanted;
  const [first = '', ...rest] = wanted.split('*');
  const last = rest.pop()!;
  return (text) => {
    const lower = text.toLowerCase();
    if (!lower.startsWith(first) || lower.length < first.length + last.length || !lower.endsWith(last)) return false;
    let at = first.length;
    for (const piece of rest) {
      const found = lower.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return at <= lower.length - last.length;
  };
}
