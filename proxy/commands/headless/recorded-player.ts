import { isTaskAnswerUnfinished, type PlayStep, RenamedIds } from '@/lib/replay/compare/recorded-client';
import type { RecordedCall } from '@/lib/replay/traffic/recorded-traffic';
import type { TrafficReader } from '@/lib/replay/traffic/traffic-reader';
import { systemClock } from '@/lib/wire/clock';
import { pagesOf } from './results';
import type { ServerConnection } from './server-connection';

/** Most polls of a task that ended in the recording: one minute in all. */
const TASK_POLLS = 240;
/** Milliseconds between two polls. */
const TASK_POLL_MS = 250;

/** A recorded call and the one that was sent in its place, by seq. */
export interface PlayedPair {
  readonly before: number;
  /** undefined if it was not sent. */
  readonly after: number | undefined;
  /** Why the call was not sent. */
  readonly skipped?: string;
}

/** The part of the live traffic that a player needs. */
export type LiveTraffic = Pick<TrafficReader, 'sent'>;

/** The part of a connection that a player needs. */
export type PlayedConnection = Pick<ServerConnection, 'request' | 'requestSeq' | 'notify'>;

/**
 * Plays steps of a recorded client to a server. Names that the server hands out, such as ids, replace the recorded ones
 * in later steps.
 */
export class Player {
  readonly pairs: PlayedPair[] = [];
  readonly #connection: PlayedConnection;
  readonly #live: LiveTraffic;
  readonly #signal: AbortSignal;
  readonly #renaming = new RenamedIds();

  constructor(connection: PlayedConnection, live: LiveTraffic, signal: AbortSignal) {
    this.#connection = connection;
    this.#live = live;
    this.#signal = signal;
  }

  /** Plays one step to its end. Rejects as {@link ServerConnection.requestSeq} does. */
  async playStep(step: PlayStep): Promise<void> {
    if (step.kind === 'skip') this.pairs.push({ before: step.call.seq, after: undefined, skipped: step.why });
    else if (step.kind === 'notification') this.#connection.notify(step.method, this.#renamed(step.params));
    else if (step.kind === 'list') await this.#list(step.call);
    else await this.#call(step.call, step.params);
  }

  /** Reads lists again, by their methods. */
  async readAgain(methods: Iterable<string>): Promise<void> {
    for (const method of methods) {
      for await (const _ of pagesOf(this.#connection, method, this.#signal));
    }
  }

  /**
   * Reads all pages, since the server may split them differently now. The catalogue compares the items, so only
   * refusals are paired.
   */
  async #list(before: RecordedCall): Promise<void> {
    let refused = before.answer?.kind === 'error';
    for await (const page of pagesOf(this.#connection, before.method, this.#signal)) refused ||= page.kind === 'error';
    if (refused)
      this.#addPair(
        before,
        this.#newest((call) => call.method === before.method),
      );
  }

  async #call(before: RecordedCall, params: string | undefined): Promise<void> {
    const after = await this.#ask(before, this.#renamed(params));
    // It was cancelled, so its end says nothing about the server.
    if (this.#signal.aborted) return;
    this.#addPair(before, after);
    if (before.answer && after?.answer) this.#renaming.learn(before.answer.text, after.answer.text);
  }

  /** Makes a call. Repeats it while it reports a task as running, because the task had ended in the recording. */
  async #ask({ method }: RecordedCall, params: string | undefined): Promise<RecordedCall | undefined> {
    for (let polls = 0; ; polls++) {
      const seq = await this.#connection.requestSeq(method, params, this.#signal);
      const after = this.#newest((call) => call.seq === seq);
      const answer = after?.answer?.text ?? '';
      if (!isTaskAnswerUnfinished({ method }, answer) || polls === TASK_POLLS || this.#signal.aborted) return after;
      await new Promise<void>((resolve) => systemClock.after(TASK_POLL_MS, resolve));
    }
  }

  #addPair({ seq: before }: RecordedCall, after: RecordedCall | undefined): void {
    this.pairs.push({ before, after: after?.seq });
  }

  #newest(isIt: (call: RecordedCall) => boolean): RecordedCall | undefined {
    return this.#live.sent.findLast((message): message is RecordedCall => message.kind === 'call' && isIt(message));
  }

  #renamed(params: string | undefined): string | undefined {
    return params === undefined ? undefined : this.#renaming.apply(params);
  }
}
