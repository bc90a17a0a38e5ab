import { KINDS, type Kind, STATUSES, type Status } from '@/lib/store/row';
import { rowText } from '@/lib/store/row-words';
import type { RowTest } from './keys/filter-key';
import { pooledTest } from './keys/pattern-key';
import { needleOf } from './needle';
import type { Subject } from './subject';

/** Kinds whose rows say what their bytes say in other words. */
const RETOLD: ReadonlySet<Kind> = new Set<Kind>(['lifecycle', 'note', 'http']);
/** Kinds whose rows are made of pieces of their bytes. */
const QUOTED: ReadonlySet<Kind> = new Set<Kind>(['notification', 'junk', 'stderr']);

/**
 * Whether a row says a text: its message, its status, or both across. Rows are only put into words where the longest piece of the
 * text stands in something that they are made of, which is asked once a text of the log's pool.
 */
export function shownTest(text: string, subject: Subject): RowTest {
  const { log } = subject;
  const { columns } = log;
  const wanted = text.toLowerCase();
  const piece = wanted.split(/[\s:/·]+/).reduce((longest, each) => (each.length > longest.length ? each : longest), '');
  const has = (words: string) => words.toLowerCase().includes(piece);
  const ownWords = kindsWith(has);
  const inMethod = pooledTest(subject, has, (index) => columns.methodNumber(columns.about(index)));
  const inName = pooledTest(subject, has, (index) => columns.nameNumber(columns.about(index)));
  const needle = needleOf(piece);
  // A text of one piece was looked for in names and bytes already.
  const isWhole = piece === wanted;
  const mayQuote = (index: number, kind: Kind) =>
    inMethod(index) || inName(index) || (QUOTED.has(kind) && needle.isIn(log.bytes(index)));
  const may = (index: number) => {
    const kind = columns.kind(index);
    if (RETOLD.has(kind) || ownWords.get(kind)?.has(columns.status(index))) return true;
    return ((kind === 'response' || kind === 'error') && columns.repeats(index)) || (!isWhole && mayQuote(index, kind));
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
