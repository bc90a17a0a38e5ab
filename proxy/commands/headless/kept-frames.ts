import { classify, type Message } from '@/lib/store/classify';
import { formatBytes } from '@/lib/wire/format';
import type { Frame } from '@/lib/wire/frame';

/** Most bytes and frames of one session that are kept to be judged. A check causes a few hundred frames. */
const MOST_BYTES = 96 * 1024 * 1024;
const MOST_FRAMES = 20_000;

/** The frames of a session, until there are too many of them. */
export class KeptFrames {
  readonly frames: Frame[] = [];
  #bytes = 0;
  #leavesOut = false;
  #onFlood: (text: string) => void;
  /** Ranges of frames, see {@link pause}. */
  readonly #paused: { readonly from: number; to: number }[] = [];

  /** `onFlood` is called once, with a sentence, when there are too many frames. The rest is dropped. */
  constructor(onFlood: (text: string) => void) {
    this.#onFlood = onFlood;
  }

  readonly add = (frame: Frame): void => {
    // stderr is never judged.
    if (frame.channel === 'stderr' || this.#leavesOut) return;
    if (this.#bytes > MOST_BYTES || this.frames.length >= MOST_FRAMES) {
      this.#onFlood(`more than ${this.frames.length} messages or ${formatBytes(this.#bytes)}`);
      this.#onFlood = () => {};
      return;
    }
    this.#bytes += frame.bytes.length;
    this.frames.push(frame);
  };

  /** Process id of the server that was started last; undefined for a URL. */
  get serverPid(): number | undefined {
    const spawned = this.frames.findLast(
      ({ channel, bytes }) => channel === 'lifecycle' && Buffer.from(bytes).includes('"event":"spawned"'),
    );
    return spawned && (JSON.parse(Buffer.from(spawned.bytes).toString()) as { pid: number }).pid;
  }

  /** Number of the newest frame. */
  get last(): number {
    return this.frames.at(-1)?.seq ?? 0;
  }

  /** Drops further frames, or keeps them again. For very many equal requests, after whose answers nothing is open. */
  leaveOut(leavesOut: boolean): void {
    this.#leavesOut = leavesOut;
  }

  /** Leaves out what the rules find from now on until {@link resume}: mcp-inspect sends faults on purpose. */
  pause(): void {
    this.#paused.push({ from: this.last + 1, to: Number.POSITIVE_INFINITY });
  }

  resume(): void {
    const open = this.#paused.at(-1);
    if (open) open.to = this.last;
  }

  /** True if all these frames came while judging was paused. */
  arePaused(seqs: readonly number[]): boolean {
    return seqs.length > 0 && seqs.every((seq) => this.#paused.some(({ from, to }) => seq >= from && seq <= to));
  }

  /** Number of the newest message to the server, as a list; empty if there is none. */
  get newestSent(): readonly number[] {
    const found = this.frames.findLast(isSent);
    return found ? [found.seq] : [];
  }

  /** Returns the newest message to the server with this method; undefined if none is kept. */
  newestRequest(method: string): Message | undefined {
    const found = this.frames[this.#newestIndex(method)];
    return found && classify(found.bytes).messages[0];
  }

  /**
   * Returns the number of the frame that answers the newest request of this method, or of the request if no message
   * answers it, as a list; empty if none is kept.
   */
  newestAnswer(method: string): readonly number[] {
    return this.#answerTo(this.#newestIndex(method));
  }

  /** Returns the same for the request with this number. */
  answerTo(seq: number): readonly number[] {
    return this.#answerTo(this.frames.findLastIndex((frame) => frame.seq === seq));
  }

  #answerTo(at: number): readonly number[] {
    const request = this.frames[at];
    if (request === undefined) return [];
    const id = classify(request.bytes).messages[0]?.id;
    const answer = this.frames.slice(at + 1).find((frame) => isReceived(frame) && answers(frame, id));
    return [(answer ?? request).seq];
  }

  #newestIndex(method: string): number {
    return this.frames.findLastIndex((frame) => isSent(frame) && Buffer.from(frame.bytes).includes(`"${method}"`));
  }
}

function isSent({ channel, direction }: Frame): boolean {
  return channel === 'protocol' && direction === 'to-server';
}

function isReceived({ channel, direction }: Frame): boolean {
  return channel === 'protocol' && direction === 'to-client';
}

function answers({ bytes }: Frame, id: Message['id']): boolean {
  return classify(bytes).messages.some((message) => message.method === undefined && message.id === id);
}
