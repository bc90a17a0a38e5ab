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
  const inOwnWords = ownWordsTest(has);
  const inMethod = pooledTest(subject, has, (index) => columns.methodNumber(columns.about(index)));
  const inName = pooledTest(subject, has, (index) => columns.nameNumber(columns.about(index)));
  const needle = needleOf(piece);
  const may = (index: number) => {
    const kind = columns.kind(index);
    return (
      RETOLD.has(kind) ||
      inOwnWords(kind, columns.status(index)) ||
      inMethod(index) ||
      inName(index) ||
      columns.repeats(index) ||
      (QUOTED.has(kind) && needle.isIn(log.bytes(index)))
    );
  };
  return (index) => may(index) && rowText(log.row(index)).toLowerCase().includes(wanted);
}

/** Whether a piece stands in the words that are ours, of rows of this kind and status. */
function ownWordsTest(has: (words: string) => boolean): (kind: Kind, status: Status | undefined) => boolean {
  const fits = new Set<string>();
  for (const kind of KINDS) {
    for (const status of STATUSES) {
      const row = { kind, status, name: undefined };
      // An answer may have an id or none, a refusal be of initialize or not, a blank line be junk.
      const words = [
        { ...row, method: undefined },
        { ...row, method: undefined, id: 1 },
        { ...row, method: 'initialize' },
        { ...row, method: undefined, name: '' },
      ].map(rowText);
      if (words.some(has)) fits.add(`${kind} ${status}`);
    }
  }
  return (kind, status) => fits.has(`${kind} ${status}`);
}
