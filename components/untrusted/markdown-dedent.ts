/** A first line that opens a list: what is indented below it may belong to its item. */
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/;

/** Indentation that makes a code block. */
const CODE = 4;

/**
 * Takes the indentation away that all lines after the first share, as in a text written inside indented source code: Markdown
 * would take it for a code block. Under a first line that opens a list item it stays, unless it is too deep for that item.
 */
export function dedent(text: string): string {
  const [first = '', ...others] = text.split(/\r\n?|\n/);
  const shared = sharedIndentation(others);
  const item = ITEM.exec(first)?.[0].length;
  if (item !== undefined && shared.length < item + CODE) return text;
  return [first.trimStart(), ...others.map((line) => (line.startsWith(shared) ? line.slice(shared.length) : ''))].join(
    '\n',
  );
}

function sharedIndentation(lines: readonly string[]): string {
  let shared: string | undefined;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const own = /^[ \t]*/.exec(line)?.[0] ?? '';
    if (shared === undefined) shared = own;
    while (!own.startsWith(shared)) shared = shared.slice(0, -1);
  }
  return shared ?? '';
}
