/** A name in the lines that a list draws it in, and what stands below it. */
export interface EntryText {
  /** One or two lines. */
  readonly name: readonly string[];
  /** Shown below the name; undefined if it only repeats the name. */
  readonly detail: string | undefined;
}

/** Lays out a name in lines of `columns` characters, and its title or URI. */
export function layOut(name: string, detail: string | undefined, columns: number): EntryText {
  return { name: wrapName(name, columns), detail: detail !== undefined && saysMore(detail, name) ? detail : undefined };
}

/** Places to break a name: after a separator, and before a capital within a word. */
const BREAKS = /[-_./:\s]+(?=.)|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu;

/** Breaks a name into at most two lines, between words if possible. A second line may be too long. */
export function wrapName(name: string, columns: number): readonly string[] {
  if (widthOf(name) <= columns) return [name];
  let at = 0;
  for (const { index, 0: separator } of name.matchAll(BREAKS)) {
    const end = index + separator.length;
    if (widthOf(name.slice(0, end)) > columns) break;
    at = end;
  }
  if (at === 0) at = fitting(name, columns);
  return [name.slice(0, at), name.slice(at)];
}

/** Returns how many UTF-16 units of a text fit, at least one character. */
function fitting(text: string, columns: number): number {
  let at = 0;
  let width = 0;
  for (const character of text) {
    width += widthOf(character);
    if (width > columns && at > 0) break;
    at += character.length;
  }
  return at;
}

/** Characters that take two columns of a monospaced font: East Asian ones and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/gu;

function widthOf(text: string): number {
  return [...text].length + (text.match(WIDE)?.length ?? 0);
}

const WORD = /\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+(?!\p{Ll})|\p{N}+|\p{L}+/gu;
/** Words of titles that say nothing about the entry. */
const FILLERS: ReadonlySet<string> = new Set(['tool', 'prompt', 'resource', 'the', 'a', 'an']);

/** Returns true if a title has a word that the name lacks. "Get Sum Tool" says no more than `get-sum`. */
export function saysMore(title: string, name: string): boolean {
  const known = new Set(wordsOf(name));
  return wordsOf(title).some((word) => !known.has(word) && !FILLERS.has(word));
}

function wordsOf(text: string): readonly string[] {
  return (text.match(WORD) ?? []).map((word) => word.toLowerCase());
}

/** Height of a unit, in px. An entry takes one unit more than it has lines. */
export const UNIT = 12;
/** Units that the heading of a group takes. */
export const HEADING_UNITS = 2;

/** Maps entries of varying height, and the headings of their groups, onto rows of one height. */
export interface EntryUnits {
  /** Number of units. */
  readonly count: number;
  /** First units of the headings. */
  readonly headings: readonly number[];
  /** Returns the first unit of an entry. */
  readonly startOf: (entry: number) => number;
  /** Returns the number of units of an entry. */
  readonly sizeOf: (entry: number) => number;
  /** Returns the entry that starts at a unit; undefined if none does. */
  readonly startingAt: (unit: number) => number | undefined;
}

/**
 * Places entries one below the other. `lines` is the number of lines of each. `headingsBefore` returns how many
 * headings are above an entry, and for the number of entries, how many are below all of them.
 */
export function placeEntries(
  lines: readonly number[],
  headingsBefore: (entry: number) => number = () => 0,
): EntryUnits {
  const starts: number[] = [];
  const headings: number[] = [];
  const entries = new Map<number, number>();
  let count = 0;
  for (let entry = 0; entry <= lines.length; entry++) {
    for (let left = headingsBefore(entry); left > 0; left--) {
      headings.push(count);
      count += HEADING_UNITS;
    }
    if (entry === lines.length) break;
    starts.push(count);
    entries.set(count, entry);
    count += lines[entry]! + 1;
  }
  return {
    count,
    headings,
    startOf: (entry) => starts[entry] ?? 0,
    sizeOf: (entry) => (lines[entry] ?? 0) + 1,
    startingAt: (unit) => entries.get(unit),
  };
}
