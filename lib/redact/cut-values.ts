import { FLAG } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import type { Found } from './found';
import { type StreamOf, streamName } from './key-lines';
import type { KnownValue } from './known-forms';
import type { KnownValues } from './known-values';

/** What has to come of a value: it begins the next frame of the stream. */
interface Rest {
  readonly known: KnownValue;
  readonly rest: string;
}

/** Longer values are not looked for at a cut. */
const MOST = 512;

/** True for a frame whose line goes on in the next one. */
export function isCut({ flags = 0 }: StreamOf): boolean {
  return (flags & FLAG.continued) !== 0;
}

/** Known values across the cut in a line that came in pieces, each a frame of its own: as they are, in no other form. */
export class CutValues {
  readonly #rests = new Map<string, readonly Rest[]>();

  /** True if the next frame of this stream may go on with a value. */
  waits(stream: StreamOf): boolean {
    return this.#rests.has(streamName(stream));
  }

  /** To be called with every frame, in order: what at its beginning ends a value, and what at its end begins one and is long enough to tell. */
  next(text: string, stream: StreamOf, known: KnownValues): readonly Found[] {
    const name = streamName(stream);
    const due = this.#rests.get(name) ?? [];
    this.#rests.delete(name);
    const ended = longest(due.filter(({ rest }) => text.startsWith(rest)));
    const found = ended ? [foundIn(ended, 0, ended.rest.length)] : [];
    if (!isCut(stream)) return found;
    const within = due.filter(({ rest }) => rest.length > text.length && rest.startsWith(text));
    const begun = restsOf(text, known);
    const rests = [...within.map((one) => ({ ...one, rest: one.rest.slice(text.length) })), ...begun];
    if (rests.length > 0) this.#rests.set(name, rests);
    if (within[0]) return [foundIn(within[0], 0, text.length)];
    const telling = longest(begun.filter((one) => saidOf(one) >= LIMITS.secretChars));
    return telling ? [...found, foundIn(telling, text.length - saidOf(telling), text.length)] : found;
  }
}

/** Each known value that a text ends with the beginning of, and what it would go on with. */
function restsOf(text: string, known: KnownValues): readonly Rest[] {
  const rests: Rest[] = [];
  for (const one of known.values()) {
    const { value } = one;
    if (value.length > MOST) continue;
    for (let length = Math.min(value.length - 1, text.length); length > 0; length--) {
      if (!text.endsWith(value.slice(0, length))) continue;
      rests.push({ known: one, rest: value.slice(length) });
      break;
    }
  }
  return rests;
}

/** How much of the value has come. */
function saidOf({ known, rest }: Rest): number {
  return known.value.length - rest.length;
}

/** The one of the longest value. */
function longest(rests: readonly Rest[]): Rest | undefined {
  return rests.toSorted((a, b) => b.known.value.length - a.known.value.length)[0];
}

function foundIn({ known }: Rest, from: number, to: number): Found {
  return { ...known, from, to, place: () => '' };
}
