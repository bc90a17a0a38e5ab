import { float64, type NumberColumn, uint8, uint32 } from '@/lib/json/typed-arrays';
import { decodeLossy } from '@/lib/store/classify';
import { SparseColumn } from '@/lib/store/columns/collections';
import { StringPool } from '@/lib/store/columns/columns';
import type { CutMessage, Frame } from '@/lib/wire/frame';
import { type ParsedMessage, parseCut, parseMessages } from './parse-messages';
import type {
  ClientMessage,
  RecordedAnswer,
  RecordedCall,
  RecordedNotification,
  RecordedServerRequest,
  ServerEvent,
  ServerNotification,
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
export const MESSAGE_ROW = {
  call: 0,
  clientNotification: 1,
  notification: 2,
  request: 3,
  result: 4,
  error: 5,
} as const;

/** The place of a message in a recording. */
export interface MessagePlace {
  readonly seq: number;
  readonly time: number;
  readonly exchange: number;
  /** Position among the messages of its frame. */
  readonly part: number;
  readonly batch: boolean;
}

/**
 * The messages of a recording as columns: forty bytes for each, so that a million fit. The objects that
 * {@link RecordedTraffic} consists of are views of its columns, and read texts when they are asked for them.
 */
export class MessageTable {
  readonly #texts: FrameTexts;
  #length = 0;
  readonly kinds = uint8();
  readonly seqs = uint32();
  readonly times = float64();
  readonly exchanges = uint32();
  /** Twice the position in the frame, plus 1 in a batch. */
  readonly parts = uint32();
  readonly methods = uint32();
  readonly names = uint32();
  readonly statuses = new SparseColumn();
  /** Row of the answer; of an event, row of the subscription on whose stream it came. Plus 1; 0: none. */
  readonly #links = uint32();
  /** For an event: twice the row of the message that it belongs to plus 1, plus 1 if it came after its answer. */
  readonly #owners = uint32();
  readonly strings = new StringPool();
  readonly #unanswered = new Map<number, Unanswered>();
  /** For a later round of a call: seq of the first. */
  readonly continues = new Map<number, number>();
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
    { seq, time, exchange, part, batch }: MessagePlace,
    method: string | undefined,
    name?: string,
    status = 0,
  ): number {
    const row = this.#length++;
    this.kinds.push(kind);
    this.seqs.push(seq);
    this.times.push(time);
    this.exchanges.push(exchange);
    this.parts.push(2 * part + (batch ? 1 : 0));
    this.methods.push(this.strings.number(method));
    this.names.push(this.strings.number(name));
    if (status !== 0) this.statuses.set(row, status);
    this.#links.push(0);
    this.#owners.push(0);
    if (kind === MESSAGE_ROW.call) this.#sent.push(new Call(this, row));
    else if (kind === MESSAGE_ROW.clientNotification) this.#sent.push(new ClientNotification(this, row));
    return row;
  }

  /** Sets the answer of a call or of a server’s request. */
  setAnswer(row: number, answer: number): void {
    this.#links.set(row, answer + 1);
    this.#unanswered.delete(row);
  }

  setUnanswered(row: number, why: Unanswered): void {
    this.#unanswered.set(row, why);
  }

  /** Sets the subscription on whose stream a notification came. */
  setStream(row: number, subscription: number): void {
    this.#links.set(row, subscription + 1);
  }

  /** Assigns an event to a client’s message, or to none. `after`: it came after the answer. */
  setOwner(row: number, owner: number | undefined, after: boolean): void {
    this.#hasEvents = true;
    this.#owners.set(row, 2 * (owner === undefined ? 0 : owner + 1) + (after ? 1 : 0));
  }

  answerOf(row: number): RecordedAnswer | undefined {
    const link = this.#links.get(row);
    return link === 0 ? undefined : new Answer(this, link - 1);
  }

  unansweredOf(row: number): Unanswered | undefined {
    return this.#links.get(row) === 0 ? (this.#unanswered.get(row) ?? OPEN) : undefined;
  }

  streamOf(row: number): number | undefined {
    const link = this.#links.get(row);
    return link === 0 ? undefined : this.seqs.get(link - 1);
  }

  /** Reads a message again. */
  messageOf(row: number): ParsedMessage | undefined {
    const seq = this.seqs.get(row);
    if (this.#parsed.seq !== seq) {
      const text = this.#texts.textOf(seq);
      this.#parsed = { seq, messages: typeof text === 'string' ? parseMessages(text) : parseCut(text) };
    }
    return this.#parsed.messages[this.parts.get(row) >> 1];
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
      this.kinds.get(row) === MESSAGE_ROW.request ? new Request(this, row) : new Notice(this, row),
    );
  }

  #listEvents(): EventLists {
    const isEvent = (row: number) =>
      this.kinds.get(row) === MESSAGE_ROW.notification || this.kinds.get(row) === MESSAGE_ROW.request;
    return new EventLists(this.#length, this.#owners, isEvent);
  }
}

const OPEN: Unanswered = { why: 'open' };

/** The rows of events by their owner, in order. */
class EventLists {
  /** Rows of the table when this was made. */
  readonly length: number;
  /** Start of the list of each owner. */
  readonly #starts: Uint32Array;
  readonly #rows: Uint32Array;

  constructor(length: number, owners: NumberColumn, isEvent: (row: number) => boolean) {
    this.length = length;
    const starts = new Uint32Array(2 * (length + 1) + 1);
    for (let row = 0; row < length; row++) if (isEvent(row)) starts[owners.get(row) + 1]!++;
    for (let owner = 1; owner < starts.length; owner++) starts[owner]! += starts[owner - 1]!;
    const next = starts.slice();
    this.#rows = new Uint32Array(starts.at(-1)!);
    for (let row = 0; row < length; row++) if (isEvent(row)) this.#rows[next[owners.get(row)]!++] = row;
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
    return this.table.seqs.get(this.row);
  }

  get time(): number {
    return this.table.times.get(this.row);
  }

  get exchange(): number {
    return this.table.exchanges.get(this.row);
  }

  get method(): string {
    return this.table.strings.text(this.table.methods.get(this.row)) ?? '';
  }

  get id(): string {
    return this.table.messageOf(this.row)?.id ?? 'null';
  }

  get params(): string | undefined {
    return this.table.messageOf(this.row)?.params?.text;
  }
}

/** A view of a row of kind `call`. */
export class Call extends View implements RecordedCall {
  get kind(): 'call' {
    return 'call';
  }

  get batch(): boolean {
    return this.table.parts.get(this.row) % 2 === 1;
  }

  get name(): string | undefined {
    return this.table.strings.text(this.table.names.get(this.row));
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
    return this.table.continues.get(this.row);
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

class Request extends View implements RecordedServerRequest {
  get kind(): 'request' {
    return 'request';
  }

  get answer(): RecordedAnswer | undefined {
    return this.table.answerOf(this.row);
  }
}

class Answer extends View implements RecordedAnswer {
  get kind(): 'result' | 'error' {
    return this.table.kinds.get(this.row) === MESSAGE_ROW.error ? 'error' : 'result';
  }

  get text(): string {
    return this.table.messageOf(this.row)?.answer ?? 'null';
  }

  get status(): number | undefined {
    return this.table.statuses.get(this.row) || undefined;
  }
}
