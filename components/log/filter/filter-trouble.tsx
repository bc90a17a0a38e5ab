import type { RegexTrouble } from '@/lib/filter/regex-search';

/** Says where a regular expression of the filter hung, and what to do. Nothing, where none did. */
export function FilterTrouble({ trouble }: { readonly trouble: RegexTrouble }) {
  const words = troubleWords(trouble);
  return (
    <p role="status" title={words} className="min-w-0 truncate text-warn">
      {words}
    </p>
  );
}

function troubleWords({ skipped, stopped }: RegexTrouble): string {
  if (stopped === 'no-worker')
    return 'The part of the page that searches by expressions did not load. Load the page again.';
  if (skipped.length === 0) return '';
  const frames = `${skipped.length === 1 ? 'frame' : 'frames'} ${skipped.join(', ')}`;
  const what = stopped ? 'so the search was stopped' : 'which counts as no match';
  return `The expression took too long on ${frames}, ${what}. Write it without repeats within repeats.`;
}
