import type { Found } from './found';
import { type StreamOf, streamName } from './key-lines';
import type { KnownPlace, KnownValue } from './known-forms';

/** Characters that tell where a line goes on with a value. */
const BEGINNING = 8;

/** Known values that are printed over several lines, each a frame of its own: where one ended with a part of a value, the next goes on with it. */
export class WrappedValues {
  /** What has to come, by stream. */
  readonly #rests = new Map<string, { readonly known: KnownValue; readonly rest: string }>();

  /** True while a value has begun somewhere. */
  get waiting(): boolean {
    return this.#rests.size > 0;
  }

  /** To be called with every frame, in order: what of it goes on with a value that began before. */
  next(text: string, stream: StreamOf): Found | undefined {
    const name = streamName(stream);
    const waiting = this.#rests.get(name);
    if (!waiting || text.trim() === '') return undefined;
    this.#rests.delete(name);
    const { rest, known } = waiting;
    const from = text.indexOf(rest.slice(0, BEGINNING));
    if (from < 0) return undefined;
    let length = Math.min(rest.length, BEGINNING);
    while (length < rest.length && text[from + length] === rest[length]) length++;
    const to = from + length;
    this.ended({ from, to, known, rest: rest.slice(length) }, text, stream);
    return { ...known, from, to, place: () => '' };
  }

  /** A place of a value in a text of a stream: if both end there, it may go on. */
  ended({ to, known, rest = '' }: KnownPlace, text: string, stream: StreamOf): void {
    if (rest !== '' && text.slice(to).trim() === '') this.#rests.set(streamName(stream), { known, rest });
  }
}
