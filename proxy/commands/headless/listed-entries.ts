import { isObject, type JsonObject, own } from '@/lib/json/value';
import { countOf, formatCount } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import { listedEntries } from './results';
import type { ServerAnswer } from './server-connection';

/** Characters of a cursor in a sentence. */
const CURSOR_CHARS = 60;

/** The entries of a list, from its pages in order. An entry that an earlier page has as well counts once. */
export class ListedEntries {
  readonly entries: JsonObject[] = [];
  readonly #items: string;
  /** Entries of earlier pages, as JSON. */
  readonly #seen = new Set<string>();
  readonly #cursors = new Set<string>();
  #pages = 0;
  #goesOn = false;
  #repeated = 0;
  /** JSON of a cursor that is not a string, so that it can't be sent. */
  #badCursor: string | undefined;
  /** The cursor that came again. */
  #loop: string | undefined;

  /** `items`: the member of a page with its entries. */
  constructor(items: string) {
    this.#items = items;
  }

  /** Adds a page. Returns the entries that no earlier page has. */
  addPage(page: ServerAnswer): readonly JsonObject[] {
    this.#pages++;
    const listed = listedEntries(page, this.#items).map((entry) => ({ entry, text: JSON.stringify(entry) }));
    const fresh = listed.filter(({ text }) => !this.#seen.has(text));
    this.#repeated += listed.length - fresh.length;
    // One page may have the same entry twice: that is another fault, which its reader should see.
    for (const { text } of fresh) this.#seen.add(text);
    for (const { entry } of fresh) this.entries.push(entry);
    const cursor = page.kind === 'result' && isObject(page.result) ? own(page.result, 'nextCursor') : undefined;
    this.#goesOn = typeof cursor === 'string';
    // Some servers end a list with null. docs/rules.md has a rule about that.
    if (!this.#goesOn && cursor !== undefined && cursor !== null) this.#badCursor = JSON.stringify(cursor);
    if (typeof cursor === 'string') {
      if (this.#cursors.has(cursor)) this.#loop = cursor;
      this.#cursors.add(cursor);
    }
    return fresh.map(({ entry }) => entry);
  }

  /** Returns the faults of the pages as sentences; undefined if there are none. */
  get fault(): string | undefined {
    const again = `${formatCount(this.#repeated)} ${this.#repeated === 1 ? 'entry' : 'entries'}`;
    const sentences = [
      this.#repeated > 0 && `The server repeats its pages: ${again} came again. Each is counted once.`,
      this.#loop !== undefined &&
        `It returned the cursor ${JSON.stringify(this.#loop).slice(0, CURSOR_CHARS)} twice, so mcp-inspect stopped. Other clients may read for ever.`,
      this.#badCursor !== undefined &&
        `Its nextCursor is ${this.#badCursor.slice(0, CURSOR_CHARS)}, expected a string, so mcp-inspect read no further page.`,
      this.#goesOn &&
        this.#pages === LIMITS.listPages &&
        `mcp-inspect stopped after ${countOf(LIMITS.listPages, 'page')}.`,
    ];
    return sentences.filter((sentence) => sentence !== false).join(' ') || undefined;
  }
}
