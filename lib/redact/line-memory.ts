import type { Found, Scan } from './found';
import { KeyLines, type StreamOf } from './key-lines';
import type { KnownValues } from './known-values';
import { WrappedValues } from './wrapped-values';

/** What the frames before tell of the next ones: secrets that are printed over several lines, each a frame of its own. */
export class LineMemory {
  readonly #keys = new KeyLines();
  readonly #wrapped = new WrappedValues();

  /** True while something goes on: no frame can be passed by. */
  get waiting(): boolean {
    return this.#keys.waiting || this.#wrapped.waiting;
  }

  /** To be called with every frame, in order: what of it goes on with a secret that began before. */
  next(text: string, stream: StreamOf): readonly Found[] {
    return [this.#keys.next(text, stream), this.#wrapped.next(text, stream)].filter((found) => found !== undefined);
  }

  /** Known values and lines of keys in a text of the newest frame. */
  find(known: KnownValues, text: string, stream: StreamOf, report: Parameters<NonNullable<Scan['inText']>>[1]): void {
    for (const place of known.find(text)) {
      report(place.known.rule, place.from, place.to, place.known.value);
      if (place.rest !== undefined) this.#wrapped.ended(place, text, stream);
    }
    if (this.#keys.isLine(text)) report('private-key', 0, text.length);
  }
}
