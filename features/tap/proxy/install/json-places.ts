import { createScanner } from 'jsonc-parser';
import { skipSpace, visitChildren } from '@/lib/json/scan';
import { blanked, type ConfigPlaces, type NamedValue, type Splice, spaceBefore, type TextSpan } from './config-places';

/** Finds values in JSON that may have comments and trailing commas. The text must be valid. */
export class JsonPlaces implements ConfigPlaces {
  readonly bare: string;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.bare = blanked(text, commentsIn(text));
  }

  find(path: readonly string[]): NamedValue | undefined {
    const start = skipSpace(this.bare, 0);
    let found: NamedValue | undefined = { nameStart: start, nameEnd: start, start, end: this.bare.length };
    // The last of repeated names wins, as in parsers.
    for (const name of path) found = found && this.#members(found).findLast((one) => this.#name(one) === name);
    return found;
  }

  items(list: TextSpan): readonly TextSpan[] {
    const items: TextSpan[] = [];
    if (this.bare[list.start] === '[') visitChildren(this.bare, list.start, (start, end) => items.push({ start, end }));
    return items;
  }

  added(after: NamedValue, name: string, value: string): Splice {
    const { bare } = this;
    const { nameStart, nameEnd, start, end } = after;
    // Written like the member before it.
    const colon = bare.slice(nameEnd, start);
    const gap = spaceBefore(bare, nameStart);
    const space = gap.includes('\n') ? gap : /\s$/.test(colon) ? ' ' : '';
    const text = `,${space}${JSON.stringify(name)}${colon}${value}`;
    return { start: end, end, text };
  }

  removed(value: NamedValue): Splice | undefined {
    const { bare } = this;
    const comma = bare.slice(0, value.nameStart).trimEnd().length - 1;
    // The first member takes the comma after it along.
    const next = skipSpace(bare, value.end);
    const [start, end] =
      bare[comma] === ','
        ? [bare.slice(0, comma).trimEnd().length, value.end]
        : [value.nameStart, bare[next] === ',' ? skipSpace(bare, next + 1) : value.end];
    return bare.slice(start, end) === this.#text.slice(start, end) ? { start, end, text: '' } : undefined;
  }

  #members({ start: object }: TextSpan): readonly NamedValue[] {
    const members: NamedValue[] = [];
    if (this.bare[object] !== '{') return members;
    visitChildren(this.bare, object, (start, end, nameStart, nameEnd) =>
      members.push({ start, end, nameStart, nameEnd }),
    );
    return members;
  }

  #name({ nameStart, nameEnd }: NamedValue): string {
    return JSON.parse(this.bare.slice(nameStart, nameEnd)) as string;
  }
}

/** Kinds of tokens as jsonc-parser numbers them. Its enum is not there when modules are compiled alone. */
const [LINE_COMMENT, BLOCK_COMMENT, END] = [12, 13, 17];

function commentsIn(text: string): readonly TextSpan[] {
  const scanner = createScanner(text);
  const comments: TextSpan[] = [];
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) {
    if (kind !== LINE_COMMENT && kind !== BLOCK_COMMENT) continue;
    const start = scanner.getTokenOffset();
    comments.push({ start, end: start + scanner.getTokenLength() });
  }
  return comments;
}
