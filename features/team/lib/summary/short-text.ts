import { textHash } from '@/lib/wire/text-hash';
import { SUMMARY_CHARS } from './recording-summary';

/** Characters kept of a long name, before its hash. */
const NAME_CHARS = 180;

/** Cuts a text of the wire, and copies it: a part of a string keeps the whole message in memory. */
export function shortText(text: string): string {
  const cut = text.slice(0, SUMMARY_CHARS);
  return JSON.parse(JSON.stringify(cut.isWellFormed() ? cut : cut.toWellFormed())) as string;
}

/** Cuts a name like {@link shortText}. A long one ends with a hash, so that two of them stay different. */
export function shortName(name: string): string {
  return shortText(name.length <= SUMMARY_CHARS ? name : `${name.slice(0, NAME_CHARS)}… ${textHash(name)}`);
}
