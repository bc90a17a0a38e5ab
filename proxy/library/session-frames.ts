import type { TapHost } from '@/lib/mcp/log-tap';
import { decodeLossy, parseMessageJson } from '@/lib/store/classify';
import { formatBytes } from '@/lib/wire/format';
import type { Frame as WireFrame } from '@/lib/wire/frame';
import type { Frame } from './api';
import { InspectError } from './inspect-error';

/** Most bytes of a session that are kept. Tests need a few thousand frames at most. */
const MOST_BYTES = 128 * 1024 * 1024;
const MOST_FRAMES = 200_000;

/** All frames of a session, until there are too many. */
export class SessionFrames {
  readonly #most: number;
  readonly #frames: WireFrame[] = [];
  /** Made when they are asked for. */
  readonly #shown: Frame[] = [];
  readonly #listeners = new Set<(frame: Frame) => void>();
  #bytes = 0;
  #seq = 0;

  /** `most`: another number of frames, for tests. */
  constructor(most = MOST_FRAMES) {
    this.#most = most;
  }

  /** Keeps each frame, and returns its seq. */
  readonly append: TapHost['append'] = (channel, direction, flags, time, source, start, end) => {
    const seq = ++this.#seq;
    if (this.isFull) return seq;
    this.#bytes += end - start;
    const frame = { seq, time, channel, direction, flags, bytes: source.slice(start, end) };
    this.#frames.push(frame);
    for (const listener of this.#listeners) listener(this.shown.at(-1)!);
    return seq;
  };

  get isFull(): boolean {
    return this.#bytes > MOST_BYTES || this.#frames.length >= this.#most;
  }

  /** The frames as they were seen. Throws an {@link InspectError} if some are missing. */
  get frames(): readonly WireFrame[] {
    if (this.#seq === this.#frames.length) return this.#frames;
    const kept = `${this.#frames.length} frames or ${formatBytes(this.#bytes)}`;
    throw new InspectError('too-many-frames', `The session has more than ${kept}, and the rest was not kept.`);
  }

  /** The frames as tests see them. */
  get shown(): readonly Frame[] {
    for (let at = this.#shown.length; at < this.#frames.length; at++) this.#shown.push(shownFrame(this.#frames[at]!));
    return this.#shown;
  }

  /** Resolves with the first frame, old or new, that `find` accepts. Rejects with the reason of `signal`. */
  async first(find: (frame: Frame) => boolean, signal: AbortSignal): Promise<Frame> {
    const accepts = (frame: Frame): boolean => {
      try {
        return find(frame);
      } catch (error) {
        throw new InspectError('failed', `The function that looks for a frame failed: ${String(error)}`, {
          cause: error,
        });
      }
    };
    const seen = this.shown.find(accepts);
    if (seen) return seen;
    signal.throwIfAborted();
    let look = (_: Frame): void => {};
    try {
      return await new Promise<Frame>((resolve, reject) => {
        look = (frame) => {
          try {
            if (accepts(frame)) resolve(frame);
          } catch (error) {
            reject(error);
          }
        };
        this.#listeners.add(look);
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    } finally {
      this.#listeners.delete(look);
    }
  }

  get stderr(): string {
    const lines = this.#frames.filter(({ channel }) => channel === 'stderr');
    return lines.map(({ bytes }) => `${decodeLossy(bytes)}\n`).join('');
  }
}

function shownFrame({ seq, time, direction, channel, bytes }: WireFrame): Frame {
  const text = decodeLossy(bytes);
  return {
    seq,
    ms: time / 1000,
    direction,
    channel,
    text,
    json: channel === 'stderr' ? undefined : parseMessageJson(text),
  };
}
