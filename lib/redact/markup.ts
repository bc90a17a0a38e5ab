const TAG = /[^<>]{0,200}>\s{0,20}/y;
const ATTRIBUTE = /\\{0,7}["'][^<>]{0,200}?\svalue\s{0,2}=\s{0,2}(?=\\{0,7}["'])/y;
const COMMA = /\\{0,7}["']\s{0,4},\s{0,4}b?(?=\\{0,7}["'])/y;
const SETTING = /["']?[ \t]{0,4}(?:\r?\n|(?:\\r)?\\n)[ \t]{0,40}value:[ \t]{1,4}/y;
const DEFAULT = /\\{0,7}"\s{0,4}\{[^{}]{0,400}?\bdefault\s{0,20}=\s{0,4}(?=\\{0,7}")/y;
const PHRASE = /\s(?:is|was)[:\s]\s{0,4}/y;
const BLANK = /[ \t]{1,8}(?=[^\s=:,;"'`()<>{}[\]|\\]{8,200}[ \t]{0,8}(?:$|[\r\n"]|\\[rn]))/y;

const NETRC = /(?<=password)\s{1,8}(?=[^\s"'`\\])(?![{<]|\$\{)/y;
const QUOTED = /\s{1,4}(?=\\{0,7}["'][^"'\s\\]{8,200}\\{0,7}["'])/y;

/** How a name and its value belong together other than by `:` and `=`, and what is between them. */
export interface Joint {
  readonly kind: 'element' | 'attribute' | 'tuple' | 'setting' | 'netrc' | 'phrase' | 'quoted';
  readonly length: number;
}

/** What is between name and value, and whether the text before the name fits. Every repetition is bounded, and text may be within a string. */
const JOINTS: readonly (readonly [kind: Joint['kind'], before: RegExp, behind: RegExp])[] = [
  ['element', /<$/, TAG],
  ['attribute', /["']$/, ATTRIBUTE],
  ['tuple', /[([]\s{0,4}b?\\{0,7}["']$/, COMMA],
  // Terraform: variable "x" { default = "…" }
  ['setting', /variable\s{1,4}\\{0,7}"$/, DEFAULT],
  // Kubernetes: - name: x, and value: … on the next line.
  ['setting', /name:[ \t]{1,4}["']?$/, SETTING],
  [
    'netrc',
    /(?:\bmachine\s{1,8}\S{1,70}|\bdefault)\s{1,20}login\s{1,8}\S{1,60}\s{1,20}(?:account\s{1,8}\S{1,60}\s{1,20})?$/,
    NETRC,
  ],
  ['phrase', /(?:^|[\s("'*])$/, PHRASE],
  // SQL: PASSWORD 'x'
  ['quoted', /(?:^|[\s(])$/, QUOTED],
  // A line of .netrc without the others.
  ['phrase', /(?:^|\n|\\n)[ \t]{0,40}$|login[ \t]{1,4}\S{1,100}[ \t]{1,4}$/, BLANK],
];

/** `<password>x</…`, `name="password" value="x"`, `('password', 'x')`, `the password is x` and the like; undefined for none of them. */
export function jointBehind(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
): Joint | undefined {
  let before: string | undefined;
  for (const [kind, fits, behind] of JOINTS) {
    behind.lastIndex = to;
    const length = behind.exec(text)?.[0].length;
    if (length === undefined) continue;
    before ??= text.slice(Math.max(0, from - 150), from);
    if (fits.test(before)) return { kind, length };
  }
  return undefined;
}
