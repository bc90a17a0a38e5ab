import { byteTextOf } from './byte-text';
import type { NamePlace } from './name-rows';
import type { Tie } from './secret-values';

/** The text between a name and its value, and what has to stand before the name. */
interface Joint {
  /** Absent for a sign, which may begin a setting or stand in prose. */
  readonly tie?: Tie;
  /** Absent: any. */
  readonly place?: NamePlace;
  readonly behind: RegExp;
  readonly before?: RegExp;
  /** The value ends where this pattern does; absent: at the quote or word. */
  readonly value?: RegExp;
}

const ROW = new RegExp(byteTextOf('(?:^|[\\r\\n]|\\\\n)[^|│\\r\\n]{0,40}(?:\\||│)[ \\t]{0,60}(?:[\\w-]{1,20} )?$'));

/** A colon or an equals sign. */
const SEPARATOR = new RegExp(
  byteTextOf(
    '(?:\\\\{0,7}["\'`])?[\\]}]?\\*{0,2}\\s{0,4}(?:[=-]>|:=|[:=]|%3[dD]|\uff1a)\\*{0,2}[ \\t]{0,8}(?:\\r?\\n[ \\t]{1,40}(?=(?:- )?(?:string\\(\\d{1,6}\\) )?\\S{6,400}[ \\t]*(?:[\\r\\n]|$)))?',
  ),
  'y',
);

/** The first one that fits counts. Every repetition is bounded, and the text may be inside a string. */
export const JOINTS: readonly Joint[] = [
  { behind: SEPARATOR },
  // --password x, ['--password', 'x']
  { place: 'flag', behind: /["']?(?:\s{1,4}|=)(?!-)|\\{0,7}["'],\s{0,8}(?=\\{0,7}["'](?!-))/y },
  // <password>x</password>
  { tie: 'setting', before: /<$/, behind: /[^<>]{0,200}>\s{0,20}/y, value: /[^<]{1,16384}?(?=\s{0,20}<\\?\/)/y },
  // <entry key="password">x</entry>, <key>password</key><string>x</string>
  {
    tie: 'setting',
    before: /(?:\b(?:key|name|id)=\\{0,7}["']|<key>)$/,
    behind: /(?:\\{0,7}["'][^<>=]{0,100}>|<\\?\/key>\s{0,20}<string>)\s{0,20}(?=[^<\s])/y,
    value: /[^<]{1,16384}?(?=\s{0,20}<\\?\/)/y,
  },
  // name="password" value="x". A brace at the end of a line begins a block of code.
  {
    tie: 'setting',
    before: /["']$/,
    behind: /\\{0,7}["'](?:(?!\{\s{0,4}(?:[\r\n]|\\n))[^<>]){0,200}?\svalue\s{0,2}=\s{0,2}(?=\\{0,7}["'])/y,
  },
  // ("password", "x"), environ["password"] = "x"
  {
    tie: 'data',
    before: /[([]\s{0,4}b?\\{0,7}["']$/,
    behind: /\\{0,7}["']\s{0,4}(?:,|\]\s{0,4}=)\s{0,4}b?(?=\\{0,7}["'])/y,
  },
  // Terraform: variable "password" { default = "x" }, output "password" { value = "x" }
  {
    tie: 'setting',
    before: /(?:variable|output)\s{1,4}\\{0,7}"$/,
    behind: /\\{0,7}"\s{0,4}\{[^{}]{0,400}?\b(?:default|value)\s{0,20}=\s{0,4}(?=\\{0,7}")/y,
  },
  // Kubernetes: `- name: password`, and `value: x` on the next line
  {
    tie: 'setting',
    before: /(?:name|key):[ \t]{1,4}["']?$/,
    behind: /["']?[ \t]{0,4}(?:\r?\n|(?:\\r)?\\n)[ \t]{0,40}value:[ \t]{1,4}/y,
  },
  // .netrc
  {
    tie: 'setting',
    before:
      /(?:\bmachine\s{1,8}\S{1,70}|\bdefault)\s{1,20}login\s{1,8}\S{1,60}\s{1,20}(?:account\s{1,8}\S{1,60}\s{1,20})?$/,
    behind: /(?<=password)\s{1,8}(?=[^\s"'`\\])(?![{<]|\$\{)/y,
    value: /[^\s"'`\\]{1,16384}/y,
  },
  // A row of a table: | password | x |
  { tie: 'words', before: ROW, behind: new RegExp(byteTextOf('[ \\t]{0,60}(?:\\||│)[ \\t]{0,60}(?=\\S{6})'), 'y') },
  // SQL: PASSWORD 'x'; a program: ENV API_KEY x; prose: the password is x
  {
    tie: 'words',
    behind:
      /\\{0,7}["'`]?(?:\s(?:is|was|to|provided|given|used|lautet|est|es|set to)[:\s]{1,4}|:?[ \t]{1,4})(?=\\{0,7}["'`]?[^\s"'`]{6})/y,
  },
];
