import { float64, uint8, uint32 } from '@/lib/json/typed-arrays';
import { channelCode, OTHER_CHANNEL } from '@/lib/wire/batch';
import { CHANNELS, type Channel, DIRECTIONS, type Direction, type Frame } from '@/lib/wire/frame';
import type { RequestId } from '@/lib/wire/message';
import type { Classified } from '../classify';
import { KINDS, ROW_STATUSES, type RowKind, type RowStatus } from '../rows/row';
import { type RowSeverity, SEVERITIES } from '../rows/severity';
import type { TelemetryUnit } from '../telemetry/unit';
import { SparseColumn } from './collections';
import { type BytesBudget, FrameBytes } from './frame-bytes';

/** Encoding of `#idType`. It tells how `#id` holds the id. */
const ID = { none: 0, number: 1, string: 2, null: 3 } as const;

/** Number of the first channel in the string pool, which starts with the known ones. */
const FIRST_CHANNEL_NUMBER = 1;

/** Largest duration of a span that is kept, in µs. It is over an hour. */
const MOST_SPAN_US = 2 ** 32 - 1;

/** Requests whose result names the server. */
const INTRODUCING: ReadonlySet<string | undefined> = new Set(['initialize', 'server/discover']);

/** Read-only columns. */
export type ColumnsReader = Omit<
  Columns,
  | 'addRow'
  | 'markChanged'
  | 'setStatus'
  | 'setPeer'
  | 'setSeverity'
  | 'setExchange'
  | 'setGivenUp'
  | 'setUnmatched'
  | 'setTaskSeq'
  | 'addTelemetry'
>;

/** The log's data by frame, a few bytes per column. Indexes are seq - 1. */
export class Columns {
  readonly bytes: FrameBytes;
  readonly #time = float64();
  readonly #id = float64();
  readonly #idType = uint8();
  readonly #channel = uint8();
  /** Names of channels that are not in CHANNELS. */
  readonly #otherChannel = new SparseColumn();
  readonly #direction = uint8();
  readonly #flags = uint8();
  readonly #kind = uint8();
  readonly #invalid = uint8();
  readonly #method = uint32();
  readonly #name = uint32();
  readonly #status = uint8();
  readonly #peer = uint32();
  readonly #severity = uint8();
  readonly #exchange = uint32();
  readonly #givenUp = new SparseColumn();
  readonly #unmatched = new SparseColumn();
  readonly #task = new SparseColumn();
  readonly #service = new SparseColumn();
  readonly #spanUs = new SparseColumn();
  readonly #strings = new StringPool();
  readonly #changed = uint32();
  #size = 0;
  #totalBytes = 0;
  #changes = 0;

  constructor(budget?: BytesBudget) {
    this.bytes = new FrameBytes(budget);
    for (const channel of CHANNELS) this.#strings.number(channel);
  }

  get size(): number {
    return this.#size;
  }

  /** Total size of all frames, in bytes. */
  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** Adds a row. `status` and `peer` start empty. Method, name and id come from the frame's only message. */
  addRow(frame: Frame, classified: Classified): void {
    const { kind, messages } = classified;
    const message = kind === 'batch' ? undefined : messages[0];
    const name = kind === 'batch' ? batchName(messages.length) : message?.name;
    this.#addRow(frame, classified, message?.method, name, message?.id);
  }

  /** Adds the row of a unit of telemetry, with its kind as the method. */
  addTelemetry(frame: Frame, { unit, name, service, durationUs, failed }: TelemetryUnit, invalidUtf8: boolean): void {
    const index = this.#size;
    this.#addRow(frame, { kind: 'other', invalidUtf8 }, unit, name);
    if (service !== '') this.#service.set(index, this.#strings.number(service));
    // 0 is none.
    if (durationUs !== undefined) this.#spanUs.set(index, Math.max(1, Math.min(MOST_SPAN_US, Math.round(durationUs))));
    if (failed) this.setStatus(index, 'error');
  }

  #addRow(
    frame: Frame,
    { kind, invalidUtf8 }: Pick<Classified, 'kind' | 'invalidUtf8'>,
    method: string | undefined,
    name: string | undefined,
    id?: RequestId | null,
  ): void {
    this.bytes.addFrame(frame.bytes, frame.skimOf);
    this.#time.push(frame.time);
    this.#pushChannel(frame.channel);
    this.#direction.push(DIRECTIONS.indexOf(frame.direction));
    this.#flags.push(frame.flags);
    this.#kind.push(KINDS.indexOf(kind));
    this.#invalid.push(invalidUtf8 ? 1 : 0);
    this.#method.push(this.#strings.number(method));
    this.#name.push(this.#strings.number(name));
    this.#pushId(id);
    this.#status.push(0);
    this.#peer.push(0);
    this.#severity.push(0);
    this.#exchange.push(0);
    this.#totalBytes += frame.skimOf ?? frame.bytes.length;
    this.#size++;
  }

  #pushChannel(channel: Channel): void {
    const code = channelCode(channel);
    this.#channel.push(code);
    if (code === OTHER_CHANNEL) this.#otherChannel.set(this.#size, this.#strings.number(channel));
  }

  #pushId(id: RequestId | null | undefined): void {
    this.#idType.push(
      id === undefined ? ID.none : id === null ? ID.null : typeof id === 'string' ? ID.string : ID.number,
    );
    this.#id.push(typeof id === 'number' ? id : typeof id === 'string' ? this.#strings.number(id) : 0);
  }

  time(index: number): number {
    return this.#time.get(index);
  }

  channel(index: number): Channel {
    return CHANNELS[this.#channel.get(index)] ?? (this.#strings.text(this.#otherChannel.get(index)) as Channel);
  }

  /** Returns the channel as its number in the string pool. */
  channelNumber(index: number): number {
    const code = this.#channel.get(index);
    return code === OTHER_CHANNEL ? this.#otherChannel.get(index) : FIRST_CHANNEL_NUMBER + code;
  }

  direction(index: number): Direction {
    return DIRECTIONS[this.#direction.get(index)]!;
  }

  flags(index: number): number {
    return this.#flags.get(index);
  }

  kind(index: number): RowKind {
    return KINDS[this.#kind.get(index)]!;
  }

  invalidUtf8(index: number): boolean {
    return this.#invalid.get(index) === 1;
  }

  /** Number of changes to rows other than the newest. */
  get changes(): number {
    return this.#changes;
  }

  /** Returns the index of the row of change `number`, counted from 0. */
  changedRow(number: number): number {
    return this.#changed.get(number);
  }

  /**
   * Records that a row has changed. The setters call it themselves. The newest row is skipped, because no reader has
   * seen it yet.
   */
  markChanged(index: number): void {
    if (index === this.#size - 1) return;
    this.#changed.push(index);
    this.#changes++;
  }

  method(index: number): string | undefined {
    return this.#strings.text(this.#method.get(index));
  }

  name(index: number): string | undefined {
    return this.#strings.text(this.#name.get(index));
  }

  /** Returns the method as its number in the string pool; 0 for none. */
  methodNumber(index: number): number {
    return this.#method.get(index);
  }

  nameNumber(index: number): number {
    return this.#name.get(index);
  }

  /** Returns the service of a unit of telemetry as its number in the string pool; 0 for none. */
  serviceNumber(index: number): number {
    return this.#service.get(index);
  }

  /** Duration of a span in µs, at least 1. */
  spanUs(index: number): number | undefined {
    return this.#spanUs.get(index) || undefined;
  }

  /** Returns the string with this number in the pool. */
  pooledText(number: number): string | undefined {
    return this.#strings.text(number);
  }

  /** Returns the row that holds the method and name of this row: a response's request, otherwise the row itself. */
  methodRow(index: number): number {
    const peer = this.#peer.get(index);
    if (peer === 0) return index;
    const kind = this.kind(index);
    return kind === 'response' || kind === 'error' ? peer - 1 : index;
  }

  /** Returns the row that holds the name of this row: {@link methodRow}, except for a server's introduction. */
  nameRow(index: number): number {
    const request = this.methodRow(index);
    if (request === index || this.#name.get(index) === 0) return request;
    return INTRODUCING.has(this.method(request)) ? index : request;
  }

  /** True for a response whose request was already answered. */
  isSecondAnswer(index: number): boolean {
    const request = this.methodRow(index);
    return request !== index && this.kind(request) === 'request' && this.peer(request) !== index + 1;
  }

  id(index: number): RequestId | null | undefined {
    const type = this.#idType.get(index);
    if (type === ID.number) return this.#id.get(index);
    if (type === ID.string) return this.#strings.text(this.#id.get(index));
    return type === ID.null ? null : undefined;
  }

  status(index: number): RowStatus | undefined {
    return ROW_STATUSES[this.#status.get(index)];
  }

  setStatus(index: number, status: RowStatus): void {
    this.#status.set(index, ROW_STATUSES.indexOf(status));
    this.markChanged(index);
  }

  /** seq of the other half: request or response. */
  peer(index: number): number | undefined {
    return this.#peer.get(index) || undefined;
  }

  setPeer(index: number, seq: number): void {
    this.#peer.set(index, seq);
    this.markChanged(index);
  }

  /** For a request that was given up: seq of the frame that ended it. */
  givenUp(index: number): number | undefined {
    return this.#givenUp.get(index) || undefined;
  }

  /** Marks a request as given up because of the newest frame. */
  setGivenUp(index: number): void {
    this.#givenUp.set(index, this.#size);
  }

  /**
   * For an unanswered request: seq of a frame that looks like its response but cannot be paired. For that frame: seq of
   * the request.
   */
  unmatched(index: number): number | undefined {
    const other = this.#unmatched.get(index);
    if (other === 0) return undefined;
    const request = Math.min(index, other - 1);
    return this.peer(request) === undefined ? other : undefined;
  }

  /** Links the frame at `index` to the request that it seems to answer. */
  setUnmatched(index: number, request: number): void {
    this.#unmatched.set(index, request);
    this.#unmatched.set(request - 1, index + 1);
    this.markChanged(index);
    this.markChanged(request - 1);
  }

  /** For a call that started a task: seq of the response that did, and later of the frame that ended the task. */
  taskSeq(index: number): number | undefined {
    return this.#task.get(index) || undefined;
  }

  setTaskSeq(index: number, seq: number): void {
    this.#task.set(index, seq);
    this.markChanged(index);
  }

  /** For a call whose task has ended: seq of the frame that ended it. */
  taskEnd(index: number): number | undefined {
    const seq = this.taskSeq(index);
    return seq === this.peer(index) ? undefined : seq;
  }

  severity(index: number): RowSeverity | undefined {
    return SEVERITIES[this.#severity.get(index)];
  }

  setSeverity(index: number, severity: RowSeverity | undefined): void {
    this.#severity.set(index, SEVERITIES.indexOf(severity));
    this.markChanged(index);
  }

  /** Returns the number of the row's HTTP exchange; undefined if it has none. */
  exchange(index: number): number | undefined {
    return this.#exchange.get(index) || undefined;
  }

  setExchange(index: number, exchange: number): void {
    this.#exchange.set(index, exchange);
    this.markChanged(index);
  }
}

function batchName(count: number): string {
  return count === 1 ? '1 message' : `${count} messages`;
}

/** Interns strings as numbers, so that columns can hold them. 0 is undefined. */
export class StringPool {
  readonly #numbers = new Map<string, number>();
  readonly #strings: (string | undefined)[] = [undefined];

  number(text: string | undefined): number {
    if (text === undefined) return 0;
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#strings.length);
    return this.#strings.push(text) - 1;
  }

  text(number: number): string | undefined {
    return this.#strings[number];
  }
}
