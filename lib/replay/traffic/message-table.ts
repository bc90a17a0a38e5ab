import { decodeLossy } from '@/lib/store/classify';
import type { CutMessage, Frame } from '@/lib/wire/frame';
import { type ParsedMessage, parseCut, parseMessages } from './parse-messages';
import type {
  ClientMessage,
  RecordedAnswer,
  RecordedCall,
  RecordedNotification,
  ServerEvent,
  ServerNotification,
  ServerRequest,
  Unanswered,
} from './recorded-traffic';

/** The texts of a recording’s protocol frames. */
export interface FrameTexts {
  /** Called with each frame that has messages, in order. A text whose long strings are cut out is not given whole. */
  addText(seq: number, text: string | CutMessage): void;
  /** Returns the text of a frame, or its parts. Throws if it can’t be read again. */
  textOf(seq: number): string | CutMessage;
}

/** Returns the text of a frame, or its parts if its long strings are cut out. */
export function textOrCut(frame: Pick<Frame, 'bytes' | 'cut'>): string | CutMessage {
  return frame.cut ?? decodeLossy(frame.bytes);
}

/** Holds all texts in memory, and long strings that several messages share once. */
export class HeldTexts implements FrameTexts {
  readonly #texts = new Map<number, string | CutMessage>();

  addText(seq: number, text: string | CutMessage): void {
    this.#texts.set(seq, text);
  }

  has(seq: number): boolean {
    return this.#texts.has(seq);
  }

  textOf(seq: number): string | CutMessage {
    return this.#texts.get(seq) ?? '';
  }
}

/** Kinds of rows. */
export const ROW = { call: 0, clientNotification: 1, notification: 2, request: 3, result: 4, error: 5 } as const;

/** The place of a message in a recording. */
export interface Place {
  readonly seq: number;
  readonly time: number;
  readonly exchange: number;
  /** Position among the messages of its frame. */
  readonly part: number;
  readonly batch: boolean;
}

/** Rows that the columns have room for at first. They double. */
const FIRST_ROWS = 1024;

/**
 * The messages of a recording as columns: forty bytes for each, so that a million fit. The objects that
 * {@link RecordedTraffic} consists of are views, and read texts when they are asked for them.
 */
export class MessageTable {
  readonly #texts: FrameTexts;
  #length = 0;
  #kinds = new Uint8Array(FIRST_ROWS);
  #seqs = new Uint32Array(FIRST_ROWS);
  #times = new Float64Array(FIRST_ROWS);
  #exchanges = new Uint32Array(FIRST_ROWS);
  /** Twice the position in the frame, plus 1 in a batch. */
  #parts = new Uint32Array(FIRST_ROWS);
  #methods = new Uint32Array(FIRST_ROWS);
  #names = new Uint32Array(FIRST_ROWS);
  #statuses = new Uint16Array(FIRST_ROWS);
  /** Row of the answer; of an event, row of the subscription on whose stream it came. Plus 1; 0: none. */
  #links = new Uint32Array(FIRST_ROWS);
  /** For an event: twice the row of the message that it belongs to plus 1, plus 1 if it came after its answer. */
  #owners = new Uint32Array(FIRST_ROWS);
  readonly #words = new Words();
  readonly #unanswered = new Map<number, Unanswered>();
  readonly #continues = new Map<number, number>();
  readonly #sent: ClientMessage[] = [];
  #events: EventLists | undefined;
  #hasEvents = false;
  /** The frame that was parsed last. Its messages are usually asked for several texts. */
  #parsed: { readonly seq: number; readonly messages: readonly ParsedMessage[] } = { seq: 0, messages: [] };

  constructor(texts: FrameTexts) {
    this.#texts = texts;
  }

  /** The client’s messages, in order. */
  get sent(): readonly ClientMessage[] {
    return this.#sent;
  }

  /** Adds a message and returns its row. `status`: HTTP status of an answer. */
  addRow(
    kind: number,
    { seq, time, exchange, part, batch }: Place,
    method: string | undefined,
    name?: string,
    status = 0,
  ): number {
    const row = this.#length++;
    if (row === this.#kinds.length) this.#grow();
    this.#kinds[row] = kind;
    this.#seqs[row] = seq;
    this.#times[row] = time;
    this.#exchanges[row] = exchange;
    this.#parts[row] = 2 * part + (batch ? 1 : 0);
    this.#methods[row] = this.#words.numberOf(method);
    this.#names[row] = this.#words.numberOf(name);
    this.#statuses[row] = status;
    if (kind === ROW.call) this.#sent.push(new Call(this, row));
    else if (kind === ROW.clientNotification) this.#sent.push(new ClientNotification(this, row));
    return row;
  }

  /** Sets the answer of a call or of a server’s request. */
  setAnswer(row: number, answer: number): void {
    this.#links[row] = answer + 1;
    this.#unanswered.delete(row);
  }

  setUnanswered(row: number, why: Unanswered): void {
    this.#unanswered.set(row, why);
  }

  /** Records that a call is a later round of the call at the seq `first`. */
  setContinues(row: number, first: number): void {
    this.#continues.set(row, first);
  }

  /** Sets the subscription on whose stream a notification came. */
  setStream(row: number, subscription: number): void {
    this.#links[row] = subscription + 1;
  }

  /** Assigns an event to a client’s message, or to none. `after`: it came after the answer. */
  setOwner(row: number, owner: number | undefined, after: boolean): void {
    this.#hasEvents = true;
    this.#owners[row] = 2 * (owner === undefined ? 0 : owner + 1) + (after ? 1 : 0);
  }

  kindOf(row: number): number {
    return this.#kinds[row]!;
  }

  seqOf(row: number): number {
    return this.#seqs[row]!;
  }

  timeOf(row: number): number {
    return this.#times[row]!;
  }

  exchangeOf(row: number): number {
    return this.#exchanges[row]!;
  }

  isInBatch(row: number): boolean {
    return this.#parts[row]! % 2 === 1;
  }

  methodOf(row: number): string {
    return this.#words.at(this.#methods[row]!) ?? '';
  }

  nameOf(row: number): string | undefined {
    return this.#words.at(this.#names[row]!);
  }

  statusOf(row: number): number | undefined {
    return this.#statuses[row]! || undefined;
  }

  answerOf(row: number): RecordedAnswer | undefined {
    const link = this.#links[row]!;
    return link === 0 ? undefined : new Answer(this, link - 1);
  }

  unansweredOf(row: number): Unanswered | undefined {
    return this.#links[row] === 0 ? (this.#unanswered.get(row) ?? OPEN) : undefined;
  }

  continuesOf(row: number): number | undefined {
    return this.#continues.get(row);
  }

  streamOf(row: number): number | undefined {
    const link = this.#links[row]!;
    return link === 0 ? undefined : this.seqOf(link - 1);
  }

  /** Reads a message again. */
  messageOf(row: number): ParsedMessage | undefined {
    const seq = this.seqOf(row);
    if (this.#parsed.seq !== seq) {
      const text = this.#texts.textOf(seq);
      this.#parsed = { seq, messages: typeof text === 'string' ? parseMessages(text) : parseCut(text) };
    }
    return this.#parsed.messages[this.#parts[row]! >> 1];
  }

  /** The events before the client’s first message. */
  get before(): readonly ServerEvent[] {
    return this.#eventsAt(0);
  }

  /** The events that belong to a client’s message. */
  eventsOf(row: number, after: boolean): readonly ServerEvent[] {
    return this.#eventsAt(2 * (row + 1) + (after ? 1 : 0));
  }

  #eventsAt(owner: number): readonly ServerEvent[] {
    if (!this.#hasEvents) return [];
    if (this.#events?.length !== this.#length) this.#events = this.#listEvents();
    const rows = this.#events.rowsOf(owner);
    return Array.from(rows, (row) =>
      this.#kinds[row] === ROW.request ? new Request(this, row) : new Notice(this, row),
    );
  }

  #listEvents(): EventLists {
    const isEvent = (row: number) => this.#kinds[row] === ROW.notification || this.#kinds[row] === ROW.request;
    return new EventLists(this.#length, this.#owners, isEvent);
  }

  #grow(): void {
    const rows = 2 * this.#kinds.length;
    this.#kinds = enlarged(this.#kinds, new Uint8Array(rows));
    this.#seqs = enlarged(this.#seqs, new Uint32Array(rows));
    this.#times = enlarged(this.#times, new Float64Array(rows));
    this.#exchanges = enlarged(this.#exchanges, new Uint32Array(rows));
    this.#parts = enlarged(this.#parts, new Uint32Array(rows));
    this.#methods = enlarged(this.#methods, new Uint32Array(rows));
    this.#names = enlarged(this.#names, new Uint32Array(rows));
    this.#statuses = enlarged(this.#statuses, new Uint16Array(rows));
    this.#links = enlarged(this.#links, new Uint32Array(rows));
    this.#owners = enlarged(this.#owners, new Uint32Array(rows));
  }
}

const OPEN: Unanswered = { why: 'open' };

function enlarged<T extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Numbers for strings that occur often; 0 stands for none. */
class Words {
  readonly #numbers = new Map<string, number>();
  readonly #words: (string | undefined)[] = [undefined];

  numberOf(word: string | undefined): number {
    if (word === undefined) return 0;
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    this.#words.push(word);
    this.#numbers.set(word, this.#words.length - 1);
    return this.#words.length - 1;
  }

  at(number: number): string | undefined {
    return this.#words[number];
  }
}

/** The rows of events by their owner, in order. */
class EventLists {
  /** Rows of the table when this was made. */
  readonly length: number;
  /** Start of the list of each owner. */
  readonly #starts: Uint32Array;
  readonly #rows: Uint32Array;

  constructor(length: number, owners: Uint32Array, isEvent: (row: number) => boolean) {
    this.length = length;
    const starts = new Uint32Array(2 * (length + 1) + 1);
    for (let row = 0; row < length; row++) if (isEvent(row)) starts[owners[row]! + 1]!++;
    for (let owner = 1; owner < starts.length; owner++) starts[owner]! += starts[owner - 1]!;
    const next = starts.slice();
    this.#rows = new Uint32Array(starts.at(-1)!);
    for (let row = 0; row < length; row++) if (isEvent(row)) this.#rows[next[owners[row]!]!++] = row;
    this.#starts = starts;
  }

  rowsOf(owner: number): Uint32Array {
    return this.#rows.subarray(this.#starts[owner]!, this.#starts[owner + 1]!);
  }
}

/** A row as an object. */
abstract class View {
  protected readonly table: MessageTable;
  protected readonly row: number;

  constructor(table: MessageTable, row: number) {
    this.table = table;
    this.row = row;
  }

  get seq(): number {
    return this.table.seqOf(this.row);
  }

  get time(): number {
    return this.table.timeOf(this.row);
  }

  get exchange(): number {
    return this.table.exchangeOf(this.row);
  }

  get method(): string {
    return this.table.methodOf(this.row);
  }

  get id(): string {
    return this.table.messageOf(this.row)?.id ?? 'null';
  }

  get params(): string | undefined {
    return this.table.messageOf(this.row)?.params?.text;
  }
}

class Call extends View implements RecordedCall {
  get kind(): 'call' {
    return 'call';
  }

  get batch(): boolean {
    return this.table.isInBatch(this.row);
  }

  get name(): string | undefined {
    return this.table.nameOf(this.row);
  }

  get progressToken(): string | undefined {
    const token = this.table.messageOf(this.row)?.params?.member('_meta')?.member('progressToken');
    return token?.kind === 'string' || token?.kind === 'number' ? token.text : undefined;
  }

  get answer(): RecordedAnswer | undefined {
    return this.table.answerOf(this.row);
  }

  get unanswered(): Unanswered | undefined {
    return this.table.unansweredOf(this.row);
  }

  get during(): readonly ServerEvent[] {
    return this.table.eventsOf(this.row, false);
  }

  get after(): readonly ServerEvent[] {
    return this.table.eventsOf(this.row, true);
  }

  get continues(): number | undefined {
    return this.table.continuesOf(this.row);
  }
}

class ClientNotification extends View implements RecordedNotification {
  get kind(): 'notification' {
    return 'notification';
  }

  get after(): readonly ServerEvent[] {
    return this.table.eventsOf(this.row, true);
  }
}

class Notice extends View implements ServerNotification {
  get kind(): 'notification' {
    return 'notification';
  }

  get stream(): number | undefined {
    return this.table.streamOf(this.row);
  }
}

class Request extends View implements ServerRequest {
  get kind(): 'request' {
    return 'request';
  }

  get answer(): RecordedAnswer | undefined {
    return this.table.answerOf(this.row);
  }
}

class Answer extends View implements RecordedAnswer {
  get kind(): 'result' | 'error' {
    return this.table.kindOf(this.row) === ROW.error ? 'error' : 'result';
  }

  get text(): string {
    return this.table.messageOf(this.row)?.answer ?? 'null';
  }

  get status(): number | undefined {
    return this.table.statusOf(this.row);
  }
}
