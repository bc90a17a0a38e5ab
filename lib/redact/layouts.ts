import { byteTextOf } from './byte-text';
import { ID } from './guess-rows';
import type { SecretName } from './name-rows';
import { secretName } from './names';
import { isLongToken } from './secret-values';
import { canBeValue, isMixed } from './values';

type Report = (from: number, to: number) => void;

/** Text that logs, lists and quotations put before that of a line. */
const LEAD =
  /^(?:[\d\sTZ:.,+-]{8,40} |\[[^\]\n]{1,40}\] |\w{3} \d\d [\d:]{8} \S{1,40} \S{1,40}: |[\w.-]{1,30}-\d{1,3} {1,12}\| |\S{1,80}:\d{1,6}:| {0,8}\d{1,6}(?:\t| \| )|[>+-] ?|#{1,6} |\*\*)/;
/** In a list of names and values, each on its own line. */
const LABEL = /^\s*(?:- )?(?:(?:name|key|value):\s+|<(?:key|string)>)/;
const RULER = new RegExp(byteTextOf('^(?:[\\s|+:=-]|│|┼|─|├|┤){3,}$'));
const FENCE = /^(?:```\w{0,20})?$/;
/** Between cells. The first one that a head has separates the cells of its table. */
const BETWEEN = ['|', byteTextOf('│'), '\t', ',', '  '];
const COLUMN = /^[`"*]{0,3}[\w-]{1,30}(?: [\w-]{1,20}){0,2}[`"*]{0,3}$/;
const VALUE = /^(?:[`"']|\*\*){0,2}([^\s`"'*<>]{6,400})(?:[`"']|\*\*){0,2}(?:<\/\w{1,20}>)?$/;
/** Characters that no name or head has. Most lines of code have one. */
const NOT_NAMING = /[^\w\s`"*|,:+<>/\x80-\uffff-]/;
/** Characters of the longest line that is looked at, and of one that is only a name. */
const MOST_LINE_CHARS = 4096;
const MOST_NAME_CHARS = 200;

interface Cell {
  readonly from: number;
  readonly text: string;
}

interface Head {
  readonly between: string;
  readonly columns: readonly (SecretName | undefined)[];
}

/** Reports values that lines before them name: the head of a table or of a Secret of Kubernetes, or a line alone. */
export function scanLayouts(text: string, report: Report): void {
  scanInserts(text, report);
  if (!text.includes('\n')) return;
  let head: Head | undefined;
  let name: SecretName | undefined;
  let document = text.includes('Secret') ? documentAt(text, 0) : { to: text.length, isSecret: false };
  let inData = false;
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    const line = text.slice(from, Math.min(to, from + MOST_LINE_CHARS));
    const at = from;
    from = to + 1;
    if (at >= document.to) document = documentAt(text, at);
    const [lead = ''] = LEAD.exec(line) ?? [];
    if (!name && !head && !document.isSecret && NOT_NAMING.test(line.slice(lead.length))) continue;
    if (FENCE.test(line.trim()) || RULER.test(line)) continue;
    if (document.isSecret) {
      inData = /^\s*(?:data|stringData):\s*$/.test(line) || (inData && /^\s{2,}\S/.test(line));
      const [, before = '', value = ''] =
        (inData && /^(\s+[\w.-]{1,100}:\s+["']?)([^\s"'|>]{6,4096})/.exec(line)) || [];
      if (canBeValue(value)) report(at + before.length, at + before.length + value.length);
    }
    const own = { from: at + lead.length, text: line.slice(lead.length).trimEnd() };
    const [label = ''] = LABEL.exec(own.text) ?? [];
    if (name) reportIfValue(name, { from: own.from + label.length, text: own.text.slice(label.length) }, report);
    const rest = own.text.length > MOST_NAME_CHARS ? '' : own.text.slice(label.length);
    name = nameOf(rest.replace(/^[*_`\s]+|(?:[*_`:\s]|[|>][+-]?|<\/key>)+$/g, ''));
    const cells =
      head &&
      [own, { from: at, text: line }]
        .map((one) => cellsOf(one, head!.between))
        .find(({ length }) => length === head!.columns.length);
    if (head && cells) {
      for (const [place, cell] of cells.entries()) reportIfValue(head.columns[place], cell, report);
    } else head = headOf(own);
  }
}

const INSERT = /insert\s{1,4}into\s{1,4}\S{1,100}\s{0,4}\(([^()]{1,1000})\)\s{0,4}values\s{0,4}(?=\()/gi;
const ITEM = /\s*(\),?|[(,])\s*|'((?:[^'\\\n]|''|\\.){0,2000})'|[^,()'\s]{1,200}/y;

/** Reports values in the rows of an SQL statement, whose columns name them. */
function scanInserts(text: string, report: Report): void {
  for (const { 0: head, 1: names = '', index } of text.matchAll(INSERT)) {
    const columns = names.split(',').map((name) => nameOf(name.trim()));
    if (!columns.some((secret) => secret !== undefined)) continue;
    let place = 0;
    ITEM.lastIndex = index + head.length;
    for (let item = ITEM.exec(text); item; item = ITEM.exec(text)) {
      const [written, sign, value] = item;
      if (sign === ')') break;
      if (sign !== undefined) place = sign === ',' ? place + 1 : 0;
      const secret = columns[place];
      // Code joins strings with a sign.
      if (!value || !secret || /^["'`]? ?[+.] | [+.] ?["'`]?$/.test(value)) continue;
      if (!(secret.grade === 'sure' ? canBeValue(value) : isListed(value, secret))) continue;
      report(item.index + 1, item.index + written.length - 1);
    }
  }
}

/** Returns where the YAML document that begins here ends, and whether it is a Secret of Kubernetes. */
function documentAt(text: string, from: number): { readonly to: number; readonly isSecret: boolean } {
  const next = text.indexOf('\n---', from);
  const to = next < 0 ? text.length : next + 1;
  return { to, isSecret: /^[ \t]{0,40}kind:[ \t]{0,40}["']?Secret["']?[ \t\r]{0,40}$/m.test(text.slice(from, to)) };
}

function nameOf(text: string): SecretName | undefined {
  const secret = COLUMN.test(text) ? secretName(text.replace(/[`"*]/g, ''), 'text') : undefined;
  return secret?.grade === 'weak' ? undefined : secret;
}

function headOf(line: Cell): Head | undefined {
  const between = BETWEEN.find((one) => line.text.includes(one));
  if (!between) return undefined;
  const cells = cellsOf(line, between).map(({ text }) => text);
  if (cells.length < 2 || !cells.every((cell) => cell === '' || COLUMN.test(cell))) return undefined;
  const columns = cells.map(nameOf);
  return columns.some((secret) => secret !== undefined) ? { between, columns } : undefined;
}

/** Splits a line into trimmed cells. Between columns that only spaces part, there may be any number of them. */
function cellsOf({ from, text }: Cell, between: string): readonly Cell[] {
  let at = from;
  const cells = text.split(between).map((cell): Cell => {
    const begun = at;
    at += cell.length + between.length;
    return { from: begun + cell.length - cell.trimStart().length, text: cell.trim() };
  });
  return between.trim() === '' && between !== '\t' ? cells.filter((cell) => cell.text !== '') : cells;
}

function reportIfValue(secret: SecretName | undefined, { from, text }: Cell, report: Report): void {
  const [whole, value] = (secret && VALUE.exec(text.trim())) ?? [];
  if (!secret || whole === undefined || value === undefined || !isListed(value, secret)) return;
  const at = from + text.indexOf(value);
  report(at, at + value.length);
}

/** Names, pointers, calls, paths and numbers: `AZURE_KEY_1`, `my-app-2`, `*Token`, `f(x)`, `/etc/x1`, `12ms`. */
const NOT_LISTED =
  /^[A-Z\d]+(?:_[A-Z\d]+)+$|^[a-z\d]+(?:[-_.][a-z]+\d{0,4}|-\d{1,4})+$|^[*&]|\(|^\.{0,2}\/|^[a-z]+\/[a-z]|^[\d.,:-]+[a-z]{0,3}$/;

/** Returns true for a value where little ties it to its name. */
export function isListed(value: string, { rule }: SecretName): boolean {
  if (!canBeValue(value) || !/\d/.test(value)) return false;
  if (ID.test(value)) return true;
  return !NOT_LISTED.test(value) && (isLongToken(value) || (rule === 'password' && isMixed(value)));
}
