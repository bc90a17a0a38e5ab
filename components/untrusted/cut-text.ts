/** `text` up to `limit` UTF-16 units, never ending in half a character. */
export function cutText(text: string, limit: number): string {
  return text.slice(0, characterBreak(text, limit));
}

/** The largest index ≤ `index` that does not split a surrogate pair. */
function characterBreak(text: string, index: number): number {
  if (index >= text.length) return text.length;
  const before = text.charCodeAt(index - 1);
  return before >= 0xd800 && before < 0xdc00 ? index - 1 : index;
}

/** Cuts text into parts of `size` at most, the first `count` of them. */
export function textParts(text: string, size: number, count: number): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length && parts.length < count; ) {
    const end = characterBreak(text, at + size);
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}
