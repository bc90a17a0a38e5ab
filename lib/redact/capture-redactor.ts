import type { Frame } from '@/lib/wire/frame';
import { byteText, byteTextOf } from './byte-text';
import type { Found } from './found';
import { linesOf, type StreamOf } from './key-lines';
import { KnownValues } from './known-values';
import { LineMemory } from './line-memory';
import { outermost } from './outermost';
import { Placeholders } from './placeholder';
import { scanFrame } from './scan-frame';
import { spliced } from './splice';
import { hasTrigger } from './triggers';
import { isTelling } from './value-words';

/** The policy that {@link CaptureRedactor} stands for, as a recording's header names it. */
export const CAPTURE_POLICY = 'capture/2';

/**
 * Takes secrets out of frames before they are written to a file: what is certain to be one, by its shape, its name, or its
 * value that was seen before, and nothing else, since a recording shows what was on the wire. One of it for a recording.
 */
export class CaptureRedactor {
  #known = new KnownValues();
  readonly #lines = new LineMemory();
  #placeholders = new Placeholders();

  /** `given`: values that the server was given as secrets. Shorter ones than `LIMITS.secretChars` would be in everything. */
  constructor(given: readonly string[]) {
    warmUp();
    for (const value of given) this.#known.add({ rule: 'given', value: byteTextOf(value) });
  }

  /**
   * Values that were masked elsewhere, in headers for example: from now on they are found by themselves. What may be a word is not
   * taken, since a server chooses some of them.
   */
  learn(values: readonly string[]): void {
    for (const value of values) {
      const text = byteTextOf(value);
      if (isTelling(text)) this.#known.add({ rule: 'secret', value: text });
    }
  }

  /**
   * For going through the same frames once more, beside this one: it knows all that this one gets to know, and has the same
   * placeholders, but no place in a stream.
   */
  again(): CaptureRedactor {
    const other = new CaptureRedactor([]);
    other.#known = this.#known;
    other.#placeholders = this.#placeholders;
    return other;
  }

  /** The frame without secrets; the same object if there are none. JSON stays JSON, and all else stays to the byte. */
  apply<T extends Pick<Frame, 'bytes'> & StreamOf>(frame: T): T {
    if (!this.#lines.waiting && !hasTrigger(frame.bytes) && !this.#known.mayBeIn(frame.bytes)) return frame;
    const text = byteText(frame.bytes);
    const secrets: Found[] = [...this.#lines.next(text, frame)];
    scanFrame(text, {
      weak: false,
      inText: (part, report) => {
        this.#lines.find(this.#known, part, frame, report);
      },
      found: (secret) => {
        secrets.push(secret);
      },
    });
    if (secrets.length === 0) return frame;
    // From here on they are known by value.
    for (const { rule, value } of secrets) {
      for (const part of [value, ...linesOf(value)]) if (isTelling(part)) this.#known.add({ rule, value: part });
    }
    return { ...frame, bytes: spliced(frame.bytes, outermost(secrets), this.#placeholders) };
  }
}

let warm = false;

/** The first look of all compiles every expression, which takes long enough to be felt where frames wait to be written. */
function warmUp(): void {
  if (warm) return;
  warm = true;
  const text = '{"name":"x","arguments":{"password":"***","a":"--api-key=*** https://h/?code=***&state=***"}}';
  scanFrame(text, { weak: false, found: () => {} });
  hasTrigger(new TextEncoder().encode(text));
}
