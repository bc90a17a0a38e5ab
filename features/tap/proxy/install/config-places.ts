/** A part of a text, from `start` up to `end`. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A value of a config, with the name before it. */
export interface NamedValue extends TextSpan {
  readonly nameStart: number;
  readonly nameEnd: number;
}

/** A change of a text. */
export interface Splice extends TextSpan {
  readonly text: string;
}

/** Finds values in the text of a config. All offsets are those of the text as written. */
export interface ConfigPlaces {
  /** The text with spaces in place of comments and of a byte order mark. */
  readonly bare: string;
  /** Returns the value under a path of names. undefined: there is none, or it can’t be found safely. */
  find(path: readonly string[]): NamedValue | undefined;
  /** Returns the items of a list. */
  items(list: TextSpan): readonly TextSpan[];
  /** Returns how to add a value called `name` after another one of the same object. */
  added(after: NamedValue, name: string, value: string): Splice;
  /** Returns how to remove a value and its name; undefined if a comment would be lost. */
  removed(value: NamedValue): Splice | undefined;
}

/** Applies changes that do not overlap. */
export function spliced(text: string, splices: readonly Splice[]): string {
  const fromEnd = [...splices].sort((one, other) => other.start - one.start);
  return fromEnd.reduce((all, { start, end, text: by }) => all.slice(0, start) + by + all.slice(end), text);
}

/** Returns the white space before an offset, from the last line break on. */
export function spaceBefore(bare: string, at: number): string {
  const space = /[ \t\r\n]*$/.exec(bare.slice(Math.max(0, at - MOST_SPACE), at))![0];
  return /\r?\n[ \t]*$/.exec(space)?.[0] ?? space;
}

/** Characters of white space that are looked at, so that a hostile config costs no time. */
const MOST_SPACE = 10_000;

/** Returns a text with spaces in place of its comments and of a byte order mark. Every offset stays the same. */
export function blanked(text: string, comments: readonly TextSpan[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of comments) {
    parts.push(text.slice(from, start), text.slice(start, end).replace(/[^\r\n]/g, ' '));
    from = end;
  }
  return `${parts.join('')}${text.slice(from)}`.replace(/^\uFEFF/, ' ');
}
