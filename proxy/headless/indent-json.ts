/** Tokens of JSON text: strings, brackets and separators, and runs of what else there is. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/gs;
/** Deeper levels are not set in further: a million levels would be a terabyte of blanks. */
const DEEPEST = 32;

/** JSON text, broken into lines for people. Nothing is parsed, so digits, duplicate keys and key order stay. */
export function indentJson(text: string): string {
  let depth = 0;
  let written = '';
  let before = '';
  const newLine = (): string => `\n${'  '.repeat(Math.min(depth, DEEPEST))}`;
  for (const [token] of text.matchAll(TOKEN)) {
    const closes = token === '}' || token === ']';
    if (closes) depth = Math.max(depth - 1, 0);
    if (before === '{' || before === '[') {
      if (!closes) written += newLine();
    } else if (closes || before === ',') written += newLine();
    written += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth++;
    before = token;
  }
  return written;
}
