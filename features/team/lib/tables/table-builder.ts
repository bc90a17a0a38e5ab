import { isObject, own } from '@/lib/json/value';
import { type Classified, classifyFrame, type Message } from '@/lib/store/classify';
import { Log } from '@/lib/store/log';
import type { RowStatus } from '@/lib/store/rows/row';
import type { Frame } from '@/lib/wire/frame';
import { META_KEY } from '@/lib/wire/protocol-names';
import type { BuilderOptions, TableSink } from './builder-options';
import type { RowOf } from './columns';
import { CarriedFrames } from './open-requests';
import { ProblemRows } from './problem-rows';
import { type RowTexts, rowTexts } from './row-texts';

/** The facts of a session, from its handshake. */
export interface TableSession {
  readonly server?: string | undefined;
  readonly serverVersion?: string | undefined;
  readonly protocol?: string | undefined;
  readonly transport?: string | undefined;
  readonly host?: string | undefined;
  readonly hostVersion?: string | undefined;
}

/**
 * Frames per window, whose columns take some 40 MB. A recording of this length is one log, so its rows are those of
 * the page.
 */
const WINDOW_FRAMES = 200_000;

/** Frames between two searches for requests that are no longer open. */
const PRUNE_FRAMES = 8192;

/** Bytes of frames that a log holds. Every frame is read once. */
const HELD_BYTES = 16 * 1024 * 1024;

const FAILED: ReadonlySet<RowStatus | undefined> = new Set<RowStatus>(['error', 'tool-error', 'timeout', 'lost']);

/**
 * Makes the rows of the tables from the frames of one recording, in order, by the log and the rules that the page uses.
 * Memory does not grow with the recording: after each window of frames their rows are written, and a new log begins
 * with the requests that are still open. A response to a request that was given up, or a repetition of one that was
 * answered, in an earlier window is not linked to it.
 */
export class TableBuilder {
  readonly #options: BuilderOptions;
  readonly #sink: TableSink;
  readonly #windowFrames: number;
  readonly #problems: ProblemRows;
  #log = newLog();
  /** Numbers of the frames with which the log begins, from earlier windows. */
  #carried: readonly number[] = [];
  /** Number of the frame before the first one of this window. */
  #before = 0;
  #open = new CarriedFrames(this.#log);
  #texts = new Map<number, RowTexts>();
  /** Progress notifications of open requests in earlier windows. */
  #progress = new Map<number, number>();
  #facts: TableSession = {};
  #lastUs = 0;
  #frames = 0;

  constructor(options: BuilderOptions, sink: TableSink) {
    this.#options = options;
    this.#sink = sink;
    this.#windowFrames = options.windowFrames ?? WINDOW_FRAMES;
    this.#problems = new ProblemRows(options, sink);
  }

  /** Facts of the newest session. Complete after {@link end}. */
  get facts(): TableSession {
    return this.#facts;
  }

  /** Number of frames, without notes and placeholders. Complete after {@link end}. */
  get frames(): number {
    return this.#frames;
  }

  /** Time of the last frame, in microseconds since the start. */
  get lastUs(): number {
    return this.#lastUs;
  }

  /** Adds the next frames. */
  addFrames(frames: readonly Frame[]): void {
    for (let from = 0; from < frames.length; ) {
      const room = this.#windowFrames - (this.#log.size - this.#carried.length);
      const some = frames.slice(from, from + Math.min(room, PRUNE_FRAMES));
      this.#append(some);
      from += some.length;
      if (this.#log.size - this.#carried.length >= this.#windowFrames) this.#endWindow(false);
      else this.#open.prune();
    }
    this.#problems.addFrames(frames);
  }

  /** Writes the remaining rows. */
  end(): void {
    this.#endWindow(true);
  }

  #append(frames: readonly Frame[]): void {
    const local = frames.map((frame) => toLocal(frame, frame.seq - this.#before + this.#carried.length));
    appendTo(this.#log, local);
    for (const [place, { frame, classified }] of local.entries()) {
      this.#lastUs = frame.time;
      const { kind, messages } = classified ?? {};
      const [message] = messages ?? [];
      if (!message) continue;
      this.#open.add(frame.seq, frames[place]!);
      if (kind === 'batch') continue;
      const seq = this.#global(frame.seq);
      const texts = rowTexts(message, frame.skimOf ?? frame.bytes.length);
      if (texts) this.#texts.set(seq, texts);
      if (kind === 'request' && frame.direction === 'to-server') this.#readHost(message);
    }
  }

  #global(local: number): number {
    return this.#carried[local - 1] ?? this.#before + local - this.#carried.length;
  }

  #readHost({ method, body }: Message): void {
    const params = own(body, 'params');
    if (!isObject(params)) return;
    const meta = own(params, '_meta');
    const info =
      method === 'initialize' ? own(params, 'clientInfo') : isObject(meta) ? own(meta, META_KEY.clientInfo) : undefined;
    if (!isObject(info)) return;
    const { name: host, version: hostVersion } = info;
    if (typeof host === 'string') this.#facts = { ...this.#facts, host };
    if (typeof hostVersion === 'string') this.#facts = { ...this.#facts, hostVersion };
  }

  /** Writes the rows of a window, and begins another one. */
  #endWindow(isLast: boolean): void {
    const log = this.#log;
    this.#readFacts();
    this.#frames += log.frames - this.#carried.length;
    const kept = isLast ? [] : this.#open.carry();
    const isKept = new Set(kept.map(({ seq }) => seq));
    for (let seq = 1; seq <= log.size; seq++) if (!isKept.has(seq)) this.#writeRows(log, seq);
    if (isLast) return;
    const carried = kept.map(({ seq, frame }) => ({ seq: this.#global(seq), frame, count: this.#progressOf(seq) }));
    const texts = carried.flatMap(({ seq }) => {
      const text = this.#texts.get(seq);
      return text ? [[seq, text] as const] : [];
    });
    this.#before += log.size - this.#carried.length;
    this.#progress = new Map(carried.flatMap(({ seq, count }) => (count > 0 ? [[seq, count]] : [])));
    this.#texts = new Map(texts);
    this.#log = newLog();
    this.#carried = carried.map(({ seq }) => seq);
    this.#open = new CarriedFrames(this.#log);
    const local = carried.map(({ frame }, place) => toLocal(frame, place + 1));
    appendTo(this.#log, local);
    for (const [place, { frame }] of local.entries()) this.#open.add(frame.seq, carried[place]!.frame);
  }

  #readFacts(): void {
    const { server, connection, http } = this.#log.state;
    const { host, hostVersion, ...before } = this.#facts;
    this.#facts = {
      server: server.info?.name || before.server,
      serverVersion: server.info?.version || before.serverVersion,
      protocol: connection.version ?? http.version ?? before.protocol,
      transport: connection.transport ?? before.transport,
      host,
      hostVersion,
    };
  }

  #progressOf(local: number): number {
    const before = this.#progress.get(this.#global(local)) ?? 0;
    return before + (this.#log.exchange(local)?.progress?.count ?? 0);
  }

  #writeRows(log: Log, local: number): void {
    const { recording, startUs } = this.#options;
    const { columns, relations } = log;
    const index = local - 1;
    const frame = this.#global(local);
    const kind = columns.kind(index);
    const globalOf = (seq: number | undefined) => (seq === undefined ? undefined : this.#global(seq));
    const texts = this.#texts.get(frame);
    if (texts && kind !== 'request') this.#texts.delete(frame);
    const time = startUs === undefined ? undefined : startUs + columns.time(index);
    const direction = columns.direction(index);
    const about = columns.methodRow(index);
    const exchange = kind === 'request' ? log.exchange(local) : undefined;
    const owner = relations.ownerOf(local);
    const id = columns.id(index);
    const us = exchange
      ? exchange.durationUs
      : columns.channel(index) === 'protocol'
        ? log.durationUs(index)
        : undefined;
    const ms = us === undefined ? undefined : us / 1000;
    const row: RowOf<'frames'> = {
      recording,
      frame,
      time,
      direction,
      channel: columns.channel(index),
      kind,
      method: columns.method(about),
      name: columns.name(columns.nameRow(index)),
      id: id === undefined ? undefined : JSON.stringify(id),
      status: columns.status(index),
      ms,
      bytes: columns.bytes.length(index),
      request: globalOf(kind === 'request' ? owner : (columns.peer(index) ?? owner)),
    };
    this.#sink.addRow('frames', row);
    if (!exchange) return;
    const { responseSeq, status, method, name, task } = exchange;
    const responded = responseSeq === undefined ? undefined : this.#texts.get(this.#global(responseSeq));
    this.#sink.addRow('exchanges', {
      recording,
      frame,
      time,
      direction,
      method,
      name,
      id: row.id,
      status,
      ms,
      response_frame: globalOf(responseSeq),
      failed: FAILED.has(status),
      progress: this.#progressOf(local),
      task: task !== undefined,
      continues: globalOf(owner),
      bytes: row.bytes,
      response_bytes: responseSeq === undefined ? undefined : columns.bytes.length(responseSeq - 1),
      error_code: responded?.errorCode,
      error: responded?.error,
      args: texts?.args,
    });
    this.#texts.delete(frame);
  }
}

/** A frame with the number that it has in the log. */
interface LocalFrame {
  readonly frame: Frame;
  /** Absent for other channels. */
  readonly classified?: Classified;
}

/** Renumbers a frame. Long strings are left out, and reading them costs nothing. */
function toLocal(frame: Frame, seq: number): LocalFrame {
  const { time, direction, channel, flags, cut } = frame;
  const bytes = cut ? cut.text : frame.bytes;
  const renumbered: Frame = { seq, time, direction, channel, flags, bytes, ...(cut && { skimOf: cut.length }) };
  return { frame: renumbered, ...(channel === 'protocol' && { classified: classifyFrame(frame) }) };
}

function appendTo(log: Log, frames: readonly LocalFrame[]): void {
  const known = new Map<number, Classified>();
  for (const { frame, classified } of frames) if (classified) known.set(frame.seq, classified);
  log.append(
    frames.map(({ frame }) => frame),
    known,
  );
}

function newLog(): Log {
  return new Log('', { held: HELD_BYTES, again: 0 });
}
