import { KINDS, type Kind, STATUSES, type Status } from '@/lib/store/rows/row';
import { rowText } from '@/lib/store/rows/row-text';
import type { FilterSubject, RowTest } from './keys/filter-key';
import { pooledTest } from './keys/word-keys';

/** Kinds whose rows say what their bytes say in other words. */
const RETOLD: ReadonlySet<Kind> = new Set<Kind>(['lifecycle', 'note', 'http']);
/** Kinds whose rows are made of pieces of their bytes. */
const QUOTED: ReadonlySet<Kind> = new Set<Kind>(['notification', 'junk', 'stderr']);

/**
 * Whether a row says a text: its message, its status, or both across. Rows are only put into words where the longest piece of the
 * text stands in something that they are made of, which is asked once a text of the log's pool.
 */
export function rowTextTest(text: string, subject: FilterSubject): RowTest {
  const { log } = subject;
  const { columns } = log;
  const wanted = text.toLowerCase();
  const piece = wanted.split(/[\s:/·]+/).reduce((longest, each) => (each.length > longest.length ? each : longest), '');
  const has = (words: string) => words.toLowerCase().includes(piece);
  const ownWords = kindsWith(has);
  const inMethod = pooledTest(subject, has, (index) => columns.methodNumber(columns.methodRow(index)));
  const inName = pooledTest(subject, has, (index) => columns.nameNumber(columns.methodRow(index)));
  const needle = needleOf(piece);
  // A text of one piece was looked for in names and bytes already.
  const isWhole = piece === wanted;
  const mayQuote = (index: number, kind: Kind) =>
    inMethod(index) || inName(index) || (QUOTED.has(kind) && needle.isIn(log.bytes(index)));
  const may = (index: number) => {
    const kind = columns.kind(index);
    if (RETOLD.has(kind) || ownWords.get(kind)?.has(columns.status(index))) return true;
    return (
      ((kind === 'response' || kind === 'error') && columns.isSecondAnswer(index)) ||
      (!isWhole && mayQuote(index, kind))
    );
  };
  return (index) => may(index) && rowText(log.row(index)).toLowerCase().includes(wanted);
}

/** The kinds, and of each the statuses, of rows that have a piece in words that are ours. */
function kindsWith(has: (words: string) => boolean): ReadonlyMap<Kind, ReadonlySet<Status | undefined>> {
  const statuses = (kind: Kind) => STATUSES.filter((status) => ownWords(kind, status).some(has));
  const found = KINDS.map((kind) => [kind, new Set(statuses(kind))] as const);
  return new Map(found.filter(([, { size }]) => size > 0));
}

/** What rows say that name nothing: an answer may have an id or none, a refusal be of initialize or not, junk be a blank line. */
function ownWords(kind: Kind, status: Status | undefined): readonly string[] {
  const row = { kind, status, method: undefined, name: undefined };
  return [row, { ...row, id: 1 }, { ...row, method: 'initialize' }, { ...row, name: '' }].map(rowText);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Looks for one text in bytes, upper or lower case. */
export interface Needle {
  isIn(bytes: Uint8Array): boolean;
}

/**
 * A search for `text` in UTF-8. Letters of ASCII are compared in both cases and everything else byte by byte, with Horspool's
 * skips; only for letters beyond ASCII that have two cases is the text decoded.
 */
export function needleOf(text: string): Needle {
  if (text === '') return { isIn: () => true };
  const hasWideCases = [...text].some((character) => character > '\x7f' && hasCases(character));
  if (hasWideCases) {
    const wanted = text.toLowerCase();
    return { isIn: (bytes) => decoder.decode(bytes).toLowerCase().includes(wanted) };
  }
  return new Horspool(encoder.encode(text));
}

function hasCases(character: string): boolean {
  return character.toLowerCase() !== character.toUpperCase();
}

class Horspool implements Needle {
  readonly #lower: Uint8Array;
  readonly #upper: Uint8Array;
  /** How far the window may move when its last byte is this one. */
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
        if (at < 0) return true;
      }
      end += skips[byte]!;
    }
    return false;
  }
}
