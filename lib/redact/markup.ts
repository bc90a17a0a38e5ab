const TAG = /[^<>]{0,200}>\s{0,20}/y;
const ATTRIBUTE = /\\{0,7}["'][^<>]{0,200}?\svalue\s{0,2}=\s{0,2}(?=\\{0,7}["'])/y;
const COMMA = /\\{0,7}["']\s{0,4},\s{0,4}(?=\\{0,7}["'])/y;

/** How a name and its value belong together other than by `:` and `=`, and what is between them. */
export interface Joint {
  readonly kind: 'element' | 'attribute' | 'tuple';
  readonly length: number;
}

/** `<password>x</…`, `name="password" value="x"`, `('password', 'x')`; undefined for none of them. */
export function jointBehind(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
): Joint | undefined {
  const before = text[from - 1];
  if (before === '<') return joint('element', TAG, text, to);
  if (before !== '"' && before !== "'") return undefined;
  return joint('attribute', ATTRIBUTE, text, to) ?? (isTuple(text, from) ? joint('tuple', COMMA, text, to) : undefined);
}

function joint(kind: Joint['kind'], pattern: RegExp, text: string, at: number): Joint | undefined {
  pattern.lastIndex = at;
  const length = pattern.exec(text)?.[0].length;
  return length === undefined ? undefined : { kind, length };
}

function isTuple(text: string, from: number): boolean {
  return /\(\\{0,7}["']$/.test(text.slice(Math.max(0, from - 9), from));
}
