/** Occurrences marked in one line. */
const MOST = 50;

/** Text with what is searched for marked, in either case. */
export function MarkedText({ text, query }: { readonly text: string; readonly query: string }) {
  const wanted = query.toLowerCase();
  const lower = text.toLowerCase();
  // Some letters have another length in lower case: places would not fit.
  if (wanted === '' || lower.length !== text.length) return text;
  const parts = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0 && parts.length < MOST; at = lower.indexOf(wanted, from)) {
    parts.push(
      text.slice(from, at),
      <mark key={at} className="rounded-sm bg-warn/30 text-text">
        {text.slice(at, at + wanted.length)}
      </mark>,
    );
    from = at + wanted.length;
  }
  return [...parts, text.slice(from)];
}
