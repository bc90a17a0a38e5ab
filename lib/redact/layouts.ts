import { decodeBase64Text, trimmedSpan } from './byte-text';
import { judgeSecret } from './named-value';
import type { NamedSecret } from './secret-names';
import { canBeValue } from './secret-values';
import { copiedCells, insertedCells, tableCells } from './tables';
import type { LayoutKind } from './triggers';

type Report = (secret: NamedSecret, from: number, to: number, value: string) => void;

const OF_KUBERNETES: NamedSecret = { rule: 'secret', value: 'any' };

/** Finds secrets that a text's layout reveals. Each part of the text is examined once. */
export class Layouts {
  readonly #text: string;
  readonly #weak: boolean;
  readonly #report: Report;
  /** Lines and statements before these offsets have been examined. */
  #judged = 0;
  #stated = 0;
  #manifests = false;

  constructor(text: string, weak: boolean, report: Report) {
    this.#text = text;
    this.#weak = weak;
    this.#report = report;
  }

  /** Examines the layout at a place. Call it from left to right. */
  findFrom(kind: LayoutKind, at: number): void {
    if (kind === 'manifest') this.#entries();
    else if (at >= this.#stated && (kind !== 'table' || at >= this.#judged)) this.#cells(kind, at);
  }

  #cells(kind: keyof typeof FINDERS, at: number): void {
    const { cells, end } = FINDERS[kind](this.#text, at);
    if (kind === 'table') this.#judged = end;
    else this.#stated = end;
    for (const { from, to, secret } of cells) {
      const value = this.#text.slice(from, to);
      const judged = judgeSecret(value, secret, this.#weak);
      if (judged) this.#report(judged, from, to, value);
    }
  }

  #entries(): void {
    if (this.#manifests) return;
    this.#manifests = true;
    for (const { from, to, base64 } of secretEntries(this.#text)) {
      const value = this.#text.slice(from, to);
      for (const reading of manifestReadings(value, base64)) this.#report(OF_KUBERNETES, from, to, reading);
    }
  }
}

const FINDERS = { insert: insertedCells, copy: copiedCells, table: tableCells };

/** Returns a Kubernetes Secret's value twice, as written and base64-decoded. Empty if the text cannot be a value. */
export function manifestReadings(value: string, base64: boolean): readonly string[] {
  if (!canBeValue(value)) return [];
  const decoded = base64 ? decodeBase64Text(value)?.trim() : undefined;
  return decoded ? [value, decoded] : [value];
}

/** A value of a Kubernetes Secret, and whether it is base64. */
interface SecretEntry {
  readonly from: number;
  readonly to: number;
  readonly base64: boolean;
}

/** Members with the same indentation: a YAML mapping, or a JSON object with one member per line. */
interface Mapping {
  readonly indent: number;
  isSecret: boolean;
  /** The newest member. */
  key: string;
  /** The value of the newest member continues on the next lines. */
  block: boolean;
  /** The values in `data` and `stringData`. */
  readonly entries: SecretEntry[];
}

const LINE = /[^\n]*\n?/y;
const MEMBER = /^[ \t]*((?:- +)*)["']?([\w./-]{1,300})["']?[ \t]*:(?:[ \t]+|$)/;
const BLOCK = /^[|>][+-]?\d?$/;
const VALUE = /^(["']?)(.*?)\1,?$/s;

/** Returns the values of every Kubernetes Secret in YAML or pretty-printed JSON. One pass. */
function secretEntries(text: string): readonly SecretEntry[] {
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
    const { from: begin, to: end } = trimmedSpan(text, at, at + LINE.exec(text)![0].length);
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
    // A list item starts a new mapping at this indentation.
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
