import type { RegexSource } from './language/ast';

/** Sent to the worker: the texts of some frames, concatenated in one buffer. */
export interface RegexJob {
  readonly expressions: readonly RegexSource[];
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Length of each text in bytes. */
  readonly lengths: Uint32Array<ArrayBuffer>;
}

/** The bit that is set if an expression ran out of stack on a text. Higher than the bits of all expressions. */
export const REGEX_FAILED = 0x40;

/**
 * Sent by the worker: `ready` once, then a mask per text with a bit for each matching expression, or {@link
 * REGEX_FAILED}.
 */
export type RegexReply = 'ready' | Uint8Array<ArrayBuffer>;

/** Tests every text of a job with every expression. May never return. */
export function runRegexJob({ expressions, bytes, lengths }: RegexJob): Uint8Array<ArrayBuffer> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const tests = expressions.map(({ source, flags }) => new RegExp(source, flags));
  const masks = new Uint8Array(lengths.length);
  let from = 0;
  for (let at = 0; at < lengths.length; at++) {
    const text = decoder.decode(bytes.subarray(from, from + lengths[at]!));
    from += lengths[at]!;
    tests.forEach((test, bit) => {
      masks[at]! |= answerOf(test, text, 1 << bit);
    });
  }
  return masks;
}

/** V8 throws if backtracking overflows the stack. */
function answerOf(test: RegExp, text: string, bit: number): number {
  try {
    return test.test(text) ? bit : 0;
  } catch {
    return REGEX_FAILED;
  }
}
