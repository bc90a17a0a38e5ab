/** A regular expression as it stands in a filter. */
export interface RegexSource {
  readonly source: string;
  readonly flags: string;
}

/** To the worker: the texts of some frames, one behind the other in one buffer. */
export interface RegexJob {
  readonly expressions: readonly RegexSource[];
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of each text, in bytes. */
  readonly lengths: Uint32Array<ArrayBuffer>;
}

/** Set of a text where an expression ran out of stack: that one has no answer. Above the bits of all expressions. */
export const REGEX_FAILED = 0x40;

/** From the worker: that it is there, and then, of each text, a bit for each expression that finds something in it, or {@link REGEX_FAILED}. */
export type RegexReply = 'ready' | Uint8Array<ArrayBuffer>;

/** Holds every text of a job against every expression. May take for ever. */
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

/** V8 throws where an expression that tries many ways remembers more of them than there is stack for. */
function answerOf(test: RegExp, text: string, bit: number): number {
  try {
    return test.test(text) ? bit : 0;
  } catch {
    return REGEX_FAILED;
  }
}
