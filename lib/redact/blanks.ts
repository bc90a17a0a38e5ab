/** What of a stretch of byte text is neither space nor tab nor line break at its ends: a byte of a character may look like another blank. */
export function withoutBlanks(text: string, from: number, to: number): { readonly from: number; readonly to: number } {
  let [begin, end] = [from, to];
  while (end > begin && isBlank(text.charCodeAt(end - 1))) end--;
  while (begin < end && isBlank(text.charCodeAt(begin))) begin++;
  return { from: begin, to: end };
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}
