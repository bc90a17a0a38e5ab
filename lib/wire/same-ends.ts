/** Returns how many lines at the start and at the end of two texts are the same. No line counts twice. */
export function sameEnds(
  old: readonly string[],
  now: readonly string[],
): { readonly start: number; readonly end: number } {
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  return { start, end };
}
