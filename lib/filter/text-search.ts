import { RowSet } from '@/lib/store/columns/collections';
import { KINDS, ROW_STATUSES, type RowKind, type RowStatus } from '@/lib/store/rows/row';
import { rowText } from '@/lib/store/rows/row-text';
import type { FilterSubject, RowMatcher, RowTest } from './keys/filter-key';
import { pooledTest } from './pooled-test';

/**
 * Returns a test for a text in a frame's bytes or in its row. Its result is unknown if the bytes were evicted before
 * they were searched. Results are remembered, because bytes never change.
 */
export function textTest(text: string, subject: FilterSubject): RowMatcher {
  const { log } = subject;
  const { columns } = log;
  const wanted = text.toLowerCase();
  const needle = needleOf(text);
  const includes = (shown: string) => shown.toLowerCase().includes(wanted);
  const inMethod = pooledTest(subject, includes, (index) => columns.methodNumber(columns.methodRow(index)));
  const inName = pooledTest(subject, includes, (index) => columns.nameNumber(columns.nameRow(index)));
  const inChannel = pooledTest(subject, includes, (index) => shownChannel(subject, index));
  const inKind = new Set<RowKind>(KINDS.filter(includes));
  const isShown = rowTextTest(text, subject);
  const searched = new RowSet();
  const found = new RowSet();
  const inBytes = (index: number): boolean | undefined => {
    if (searched.has(index)) return found.has(index);
    if (!log.hasBytes(index + 1)) return undefined;
    searched.set(index, true);
    const isIn = needle.isIn(log.bytes(index));
    found.set(index, isIn);
    return isIn;
  };
  return (index) => {
    if (inKind.has(columns.kind(index)) || inMethod(index) || inName(index) || inChannel(index)) return true;
    const verdict = inBytes(index);
    return verdict !== true && isShown(index) ? true : verdict;
  };
}

/** Returns the number of the channel that the row names; 0 if it names none. */
function shownChannel({ log: { columns } }: FilterSubject, index: number): number {
  return columns.kind(index) === 'other' ? columns.channelNumber(index) : 0;
}

/** Kinds whose rows rephrase their bytes. */
const REPHRASED: ReadonlySet<RowKind> = new Set<RowKind>(['lifecycle', 'note', 'http']);
/** Kinds whose rows quote parts of their bytes. */
const QUOTED: ReadonlySet<RowKind> = new Set<RowKind>(['notification', 'junk', 'stderr', 'other']);
/** The same for a text with a mark that previews write differently from JSON: `{a: 1, b: 2}`. */
const QUOTED_WITH_MARKS: ReadonlySet<RowKind> = new Set<RowKind>([...QUOTED, 'request', 'response', 'error']);
const MARKS = /[:,·−]/;

/**
 * Returns a test for a text in the label, status or preview of a row. Formatting is slow, so rows that can't match are
 * skipped: the longest word of the text is first searched in names, fixed labels and quoted bytes. Rows that rephrase
 * their bytes are always formatted.
 */
function rowTextTest(text: string, subject: FilterSubject): RowTest {
  const { log } = subject;
  const { columns } = log;
  const wanted = text.toLowerCase();
  const piece = wanted
    .split(/[\s:/·,{}[\]"−]+/)
    .reduce((longest, each) => (each.length > longest.length ? each : longest), '');
  const has = (words: string) => words.toLowerCase().includes(piece);
  const ownWords = kindsWith(has);
  const inMethod = pooledTest(subject, has, (index) => columns.methodNumber(columns.methodRow(index)));
  const inName = pooledTest(subject, has, (index) => columns.nameNumber(columns.nameRow(index)));
  const inChannel = pooledTest(subject, has, (index) => shownChannel(subject, index));
  const needle = needleOf(piece);
  // A single word has already been searched in names and bytes.
  const isWhole = piece === wanted;
  const quoted = MARKS.test(wanted) ? QUOTED_WITH_MARKS : QUOTED;
  const mayQuote = (index: number, kind: RowKind) =>
    inMethod(index) || inName(index) || inChannel(index) || (quoted.has(kind) && needle.isIn(log.bytes(index)));
  const may = (index: number) => {
    const kind = columns.kind(index);
    const status = columns.status(index);
    // A lost request may show an HTTP status.
    if (REPHRASED.has(kind) || status === 'lost' || ownWords.get(kind)?.has(status)) return true;
    return (
      ((kind === 'response' || kind === 'error') && columns.isSecondAnswer(index)) ||
      (!isWhole && mayQuote(index, kind))
    );
  };
  const textOf = (index: number) => `${rowText(log.row(index))} ${log.preview(index) ?? ''}`;
  return (index) => may(index) && textOf(index).toLowerCase().includes(wanted);
}

/** Returns the kinds and statuses whose fixed labels contain the word. */
function kindsWith(has: (words: string) => boolean): ReadonlyMap<RowKind, ReadonlySet<RowStatus | undefined>> {
  const statuses = (kind: RowKind) => ROW_STATUSES.filter((status) => ownWords(kind, status).some(has));
  const found = KINDS.map((kind) => [kind, new Set(statuses(kind))] as const);
  return new Map(found.filter(([, { size }]) => size > 0));
}

/**
 * Returns the labels that rows of this kind and status have without a name: with and without an id, for a refused
 * `initialize`, and for a blank line of output.
 */
function ownWords(kind: RowKind, status: RowStatus | undefined): readonly string[] {
  const row = { kind, status, method: undefined, name: undefined };
  return [row, { ...row, id: 1 }, { ...row, method: 'initialize' }, { ...row, name: '' }].map(rowText);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A case-insensitive search for one text in bytes. */
interface Needle {
  isIn(bytes: Uint8Array): boolean;
  /** Returns the offset of the first hit; -1 for none. */
  indexIn(bytes: Uint8Array): number;
}

/**
 * Returns a search for `text` in UTF-8 bytes, with the Horspool algorithm. It decodes the bytes only if the text has
 * non-ASCII letters with two cases.
 */
export function needleOf(text: string): Needle {
  if (text === '') return { isIn: () => true, indexIn: () => 0 };
  const hasWideCases = [...text].some((character) => character > '\x7f' && hasCases(character));
  if (hasWideCases) {
    const wanted = text.toLowerCase();
    const lower = (bytes: Uint8Array) => decoder.decode(bytes).toLowerCase();
    return {
      isIn: (bytes) => lower(bytes).includes(wanted),
      indexIn: (bytes) => {
        const decoded = lower(bytes);
        const at = decoded.indexOf(wanted);
        return at < 0 ? at : encoder.encode(decoded.slice(0, at)).length;
      },
    };
  }
  return new Horspool(encoder.encode(text));
}

function hasCases(character: string): boolean {
  return character.toLowerCase() !== character.toUpperCase();
}

class Horspool implements Needle {
  readonly #lower: Uint8Array;
  readonly #upper: Uint8Array;
  /** How far the window may move for each value of its last byte. */
  readonly #skips: Int32Array;

  constructor(wanted: Uint8Array) {
    this.#lower = wanted.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));
    this.#upper = wanted.map((byte) => (byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte));
    this.#skips = new Int32Array(256).fill(wanted.length);
    for (let at = 0; at < wanted.length - 1; at++) {
      this.#skips[this.#lower[at]!] = wanted.length - 1 - at;
      this.#skips[this.#upper[at]!] = wanted.length - 1 - at;
    }
  }

  isIn(bytes: Uint8Array): boolean {
    return this.indexIn(bytes) >= 0;
  }

  indexIn(bytes: Uint8Array): number {
    const lower = this.#lower;
    const upper = this.#upper;
    const skips = this.#skips;
    const last = lower.length - 1;
    const lastLower = lower[last]!;
    const lastUpper = upper[last]!;
    for (let end = last; end < bytes.length; ) {
      const byte = bytes[end]!;
      if (byte === lastLower || byte === lastUpper) {
        let at = last - 1;
        for (let from = end - 1; at >= 0; at--, from--) {
          const here = bytes[from]!;
          if (here !== lower[at] && here !== upper[at]) break;
        }
        if (at < 0) return end - last;
      }
      end += skips[byte]!;
    }
    return -1;
  }
}
