/**
 * Returns a short text that stands for a long one: its length and two hashes (FNV-1a). Somebody who tries can find two
 * texts with the same one, so nothing that protects may depend on it.
 */
export function textHash(text: string): string {
  let [a, b] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13);
  }
  return `${text.length} ${a} ${b}`;
}
