import type { StringFormat } from './types';

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
/** RFC 3339 with capital letters and without leap seconds, which every validator of `date-time` accepts. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

const FORMATS: readonly (readonly [format: StringFormat, isIt: (text: string) => boolean])[] = [
  ['date', isDate],
  ['date-time', (text) => isDate(DATE_TIME.exec(text)?.[1] ?? '')],
];

/** Returns the format that all texts have; undefined if there is none. */
export function dateFormatOf(texts: readonly string[]): StringFormat | undefined {
  return FORMATS.find(([, isIt]) => texts.every(isIt))?.[0];
}

function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || year === 0) return false;
  const date = new Date(Date.UTC(year, month! - 1, day));
  date.setUTCFullYear(year, month! - 1, day);
  return date.getUTCMonth() === month! - 1 && date.getUTCDate() === day;
}
