import type { RegexTrouble } from '@/lib/filter/regex-search';

/** Says where a regular expression of the filter hung, and what to do. Nothing, where none did. */
export function FilterTrouble({ trouble }: { readonly trouble: RegexTrouble }) {
  const words = troubleWords(trouble);
  return (
    <p role="status" title={words} className="min-w-0 flex-[1_1_0] truncate text-warn empty:hidden">
      {words}
    </p>
  );
}

/** Frames that are named one by one. */
const NAMED = 5;

function troubleWords({ skipped, failed, stopped }: RegexTrouble): string {
  if (stopped === 'no-worker')
    return 'The part of the page that searches by expressions did not load or broke down. Load the page again.';
  const outcome = stopped ? 'so the search was stopped' : 'which counts as no match';
  const words = [];
  if (skipped.length > 0)
    words.push(
      `The expression took too long on ${framesOf(skipped)}, ${outcome}. Write it without repeats within repeats.`,
    );
  if (failed.length > 0)
    words.push(
      `The expression ran out of memory on ${framesOf(failed)}, which counts as no match. Write it without repeated groups.`,
    );
  return words.join(' ');
}

function framesOf(seqs: readonly number[]): string {
  const more = seqs.length > NAMED ? ` and ${seqs.length - NAMED} more` : '';
  return `${seqs.length === 1 ? 'frame' : 'frames'} ${seqs.slice(0, NAMED).join(', ')}${more}`;
}
