import { BYTE } from '@/lib/wire/json-bytes';

/** Bytes that only a line of interest has, and what must stand around them for that, if they alone don't say it. */
interface Sign {
  readonly bytes: Buffer;
  confirm?(source: Buffer, at: number): boolean;
}

/**
 * What every message that the engine may have to act on has in its bytes: responses and requests an `id`, and of the
 * notifications only progress, cancelled and the three list_changed matter to it. One that the engine learns to act on
 * is a new entry. Batches need none, their members have the same signs.
 *
 * JSON may also write the letters of `id` and of the methods as escapes; the quotes can't be escaped. The escapes that can
 * hide a letter, `_` or `/` are `\u006x`, `\u007x`, `\u005x` and `\u002f`. So a line without any sign is certain not to concern
 * the engine; a line with one may, which costs a parse and never a message.
 *
 * Each begins with a byte that is rare in messages and is shorter than eight bytes, because Node then looks for that
 * byte alone: `id"` is found several times as fast as `"id"`.
 */
const SIGNS: readonly Sign[] = [
  { bytes: Buffer.from('id"'), confirm: (source, at) => source[at - 1] === BYTE.quote },
  { bytes: Buffer.from('/progre') },
  { bytes: Buffer.from('/cancel') },
  { bytes: Buffer.from('_change') },
  { bytes: Buffer.from('\\u00'), confirm: hidesLetter },
];

/** The digits after `\u00` are 5x, 6x, 7x or 2f: colour codes, `\u001b`, are far more frequent and hide nothing. */
function hidesLetter(source: Buffer, at: number): boolean {
  const [high, low] = [source[at + 4] ?? 0, source[at + 5] ?? 0];
  return (high >= 0x35 && high <= 0x37) || (high === 0x32 && (low | 0x20) === 0x66);
}

/**
 * Tells lines that may concern the engine from those that certainly do not, without parsing, so that a flood of
 * `notifications/message` costs little more than its framing. Searches a whole chunk at once, natively, and remembers
 * where each sign comes next: usually each is searched for once a chunk, however many lines the chunk has.
 */
export class EngineInterest {
  #source: Buffer | undefined;
  #from = 0;
  /** Where each sign is found next at or after `#from`; -1 if not looked for yet. */
  readonly #next = SIGNS.map(() => -1);

  /** True if `source[start, end)`, one line, may concern the engine. Fast when asked line after line. */
  mayConcernEngine(source: Buffer, start: number, end: number): boolean {
    if (source !== this.#source || start < this.#from) this.#next.fill(-1);
    // Nothing comes after the last line: a large buffer shouldn't be held for the sake of this memory.
    this.#source = end === source.length ? undefined : source;
    this.#from = start;
    for (let index = 0; index < SIGNS.length; index++) {
      if (this.#next[index]! < start) this.#next[index] = find(SIGNS[index]!, source, start);
      if (this.#next[index]! < end) return true;
    }
    return false;
  }
}

/** Where the sign is found at or after `start`, Infinity if nowhere. */
function find({ bytes, confirm }: Sign, source: Buffer, start: number): number {
  let at = source.indexOf(bytes, start);
  while (at !== -1 && confirm !== undefined && !confirm(source, at)) at = source.indexOf(bytes, at + 1);
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}
