/** Quotes a line as a code span of Markdown, with a fence that it does not contain. '' stays ''. */
export function codeSpan(line: string): string {
  if (line === '') return '';
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const gap = longest > 0 ? ' ' : '';
  return `${fence}${gap}${line}${gap}${fence}`;
}
