import { decodeLossy } from '@/lib/store/classify';
import type { Log } from '@/lib/store/log';
import { rowLabel } from '@/lib/store/rows/row-text';
import type { Filter } from './language/ast';
import { needleOf } from './text-search';

/** Bytes that are shown before a hit, and from a hit on. The row shows as many as have room on both sides of it. */
const BEFORE_BYTES = 150;
const AFTER_BYTES = 300;
/** Characters of the longest text that is marked. An expression for a longer one may be too large for the browser. */
const LONGEST_MARKED = 1000;
/** Most snippets that are kept. A screen shows about 50. */
const KEPT = 500;

/** Keys that compare what a row's label says. */
const LABEL_KEYS: ReadonlySet<string> = new Set(['method', 'tool', 'prompt', 'uri', 'name', 'span']);

/** A part of a text that a filter looks for, or that is between two of these. */
export interface TextPart {
  readonly text: string;
  readonly isHit: boolean;
}

/** Shows in the rows of a log where a filter's words are. Only rows in view are asked for. */
export class FilterHits {
  readonly #log: Log;
  readonly #words: readonly string[];
  readonly #inContent: RegExp | undefined;
  readonly #inLabel: RegExp | undefined;
  readonly #snippets = new Map<number, string | undefined>();

  constructor(filter: Filter | undefined, log: Log) {
    this.#log = log;
    this.#words = wordsOf(filter);
    this.#inContent = expressionFor(this.#words);
    this.#inLabel = expressionFor([...this.#words, ...labelPieces(filter)]);
  }

  /** Splits a row's label at the words, and at the values of keys such as `tool:`. */
  inLabel(text: string): readonly TextPart[] {
    return partsOfText(text, this.#inLabel);
  }

  /** Splits a row's content at the words. */
  inContent(text: string): readonly TextPart[] {
    return partsOfText(text, this.#inContent);
  }

  /**
   * Returns the content of the row at `index` to show: its preview, or the frame's text around the hit if neither label
   * nor preview has one. undefined without either.
   */
  contentOf(index: number): string | undefined {
    const preview = this.#log.preview(index);
    const hasHit = !this.#inContent || (preview !== undefined && this.#inContent.test(preview));
    return hasHit ? preview : (this.#snippet(index) ?? preview);
  }

  #snippet(index: number): string | undefined {
    const log = this.#log;
    if (this.#snippets.has(index) || !log.hasBytes(index + 1)) return this.#snippets.get(index);
    const { what, about = '' } = rowLabel(log.row(index));
    const isShown = this.#inContent!.test(`${what} ${about}`);
    const snippet = isShown ? undefined : snippetIn(log.bytes(index), this.#words);
    this.#snippets.set(index, snippet);
    for (const oldest of this.#snippets.keys()) {
      if (this.#snippets.size <= KEPT) break;
      this.#snippets.delete(oldest);
    }
    return snippet;
  }
}

/** Returns the text around the first of these words that is in the bytes. */
function snippetIn(bytes: Uint8Array, words: readonly string[]): string | undefined {
  for (const word of words) {
    const at = needleOf(word).indexIn(bytes);
    if (at < 0) continue;
    const from = at <= BEFORE_BYTES ? 0 : characterStart(bytes, at - BEFORE_BYTES);
    const to = characterStart(bytes, Math.min(bytes.length, at + AFTER_BYTES));
    return `${from > 0 ? '…' : ''}${decodeLossy(bytes.subarray(from, to))}${to < bytes.length ? '…' : ''}`;
  }
  return undefined;
}

/** Returns the first place at or after `at` that is not inside a character of UTF-8. */
function characterStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while ((bytes[start]! & 0xc0) === 0x80) start++;
  return start;
}

/** Returns the texts that a filter looks for; not those that it excludes. */
function wordsOf(filter: Filter | undefined): string[] {
  if (filter?.type === 'all' || filter?.type === 'any') return filter.parts.flatMap(wordsOf);
  return filter?.type === 'text' && filter.text !== '' ? [filter.text] : [];
}

/** Returns the parts of a filter's values that are in the labels of the rows it selects. */
function labelPieces(filter: Filter | undefined): string[] {
  if (filter?.type === 'all' || filter?.type === 'any') return filter.parts.flatMap(labelPieces);
  if (filter?.type !== 'field' || !LABEL_KEYS.has(filter.key)) return [];
  return (filter.quoted ? [filter.value] : filter.value.split('*')).filter((piece) => piece !== '');
}

/** Returns a case-insensitive expression for any of these texts, the longest first; undefined for none. */
function expressionFor(wanted: readonly string[]): RegExp | undefined {
  const texts = wanted.filter((text) => text.length <= LONGEST_MARKED);
  if (texts.length === 0) return undefined;
  const literals = texts
    .toSorted((a, b) => b.length - a.length)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(literals.join('|'), 'iu');
}

function partsOfText(text: string, wanted: RegExp | undefined): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: hit, index } of wanted ? text.matchAll(new RegExp(wanted, 'giu')) : []) {
    if (index > from) parts.push({ text: text.slice(from, index), isHit: false });
    parts.push({ text: hit, isHit: true });
    from = index + hit.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isHit: false });
  return parts;
}
