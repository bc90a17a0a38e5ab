/** Most edits between a mistyped word and what it means. */
const MOST_EDITS = 2;

/** Finds the candidate that a mistyped word most likely means: at most two edits away, or starting with the word. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .filter((candidate) => isPrefix(word, candidate) || Math.abs(candidate.length - word.length) <= MOST_EDITS)
    .map((candidate) => ({ candidate, edits: isPrefix(word, candidate) ? 1 : countEdits(word, candidate) }))
    .sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  if (!best || best.edits > MOST_EDITS) return undefined;
  const { candidate, edits } = best;
  if (isPrefix(word, candidate)) return candidate;
  // A typo keeps some letters of the word. If it has two, it seldom changes both ends: `nodey` does not mean `codex`.
  const keepsEnd = word[0] === candidate[0] || word.at(-1) === candidate.at(-1);
  const isOther = edits >= Math.min(word.length, candidate.length) || (edits === MOST_EDITS && !keepsEnd);
  return isOther ? undefined : candidate;
}

/** Suggests a replacement for an unknown word, as the end of a sentence. */
export function suggestion(word: string, names: readonly string[]): string {
  const near = closest(word, names);
  return near ? `did you mean \`${near}\`?` : `choose from ${names.join(', ')}.`;
}

function isPrefix(word: string, candidate: string): boolean {
  return word !== '' && candidate.startsWith(word);
}

/** Levenshtein distance. Quadratic, so for short words only. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
