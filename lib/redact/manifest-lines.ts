import { withoutBlanks } from './blanks';

/** A value of a Secret of Kubernetes, and whether it is in base64. */
export interface SecretEntry {
  readonly from: number;
  readonly to: number;
  readonly base64: boolean;
}

/** Members that stand as far to the right: a mapping of YAML, or an object of JSON that has a line for each member. */
interface Mapping {
  readonly indent: number;
  isSecret: boolean;
  /** The newest member. */
  key: string;
  /** Its value goes on over the next lines. */
  block: boolean;
  /** Values of `data` and `stringData`. */
  readonly entries: SecretEntry[];
}

const LINE = /[^\n]*\n?/y;
const MEMBER = /^[ \t]*((?:- +)*)["']?([\w./-]{1,300})["']?[ \t]*:(?:[ \t]+|$)/;
const BLOCK = /^[|>][+-]?\d?$/;
const VALUE = /^(["']?)(.*?)\1,?$/s;

/** The values of every Secret of Kubernetes in a text of YAML, or of JSON that is printed over lines. One pass. */
export function secretEntries(text: string): readonly SecretEntry[] {
  const found: SecretEntry[] = [];
  const open: Mapping[] = [];
  const close = (indent: number) => {
    while ((open.at(-1)?.indent ?? -1) > indent) {
      const { isSecret, entries } = open.pop()!;
      if (isSecret) for (const one of entries) found.push(one);
    }
  };
  for (let at = 0; at < text.length; at = LINE.lastIndex) {
    LINE.lastIndex = at;
    const { from: begin, to: end } = withoutBlanks(text, at, at + LINE.exec(text)![0].length);
    const line = text.slice(at, end);
    const lead = begin - at;
    if (begin === end) continue;
    if (line === '---') close(-1);
    const last = open.at(-1);
    if (last?.block && lead > last.indent) {
      open.at(-2)?.entries.push({ from: at + lead, to: at + line.length, base64: isData(open.at(-2)) });
      continue;
    }
    const [before, items, key] = MEMBER.exec(line) ?? [];
    if (before === undefined) continue;
    const indent = lead + items!.length;
    // An item of a list begins anew what stands there.
    close(items === '' ? indent : lead);
    if (open.at(-1)?.indent !== indent) open.push({ indent, isSecret: false, key: '', block: false, entries: [] });
    const mapping = open.at(-1)!;
    const [, quote, value] = VALUE.exec(line.slice(before.length))!;
    mapping.key = key!;
    mapping.isSecret ||= key === 'kind' && value === 'Secret';
    const holder = open.at(-2);
    const isEntry = holder !== undefined && /^(?:data|stringData)$/.test(holder.key);
    mapping.block = isEntry && BLOCK.test(value!);
    if (!isEntry || mapping.block || value === '') continue;
    const from = at + before.length + quote!.length;
    holder.entries.push({ from, to: from + value!.length, base64: isData(holder) });
  }
  close(-1);
  return found;
}

function isData(mapping: Mapping | undefined): boolean {
  return mapping?.key === 'data';
}
