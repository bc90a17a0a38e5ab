/** A Huffman code (RFC 1951, 3.2.2): how many symbols each length has, and the symbols in order of their codes. */
interface Code {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

const MOST_BITS = 15;

function codeOf(lengths: readonly number[]): Code {
  const counts = new Uint16Array(MOST_BITS + 1);
  for (const length of lengths) if (length > 0) counts[length]!++;
  const byLength = Array.from(lengths, (length, symbol) => ({ length, symbol })).filter(({ length }) => length > 0);
  return {
    counts,
    symbols: Uint16Array.from(
      byLength.toSorted((a, b) => a.length - b.length),
      (one) => one.symbol,
    ),
  };
}

const repeat = (times: number, length: number) => Array.from({ length: times }, () => length);
const FIXED = codeOf([...repeat(144, 8), ...repeat(112, 9), ...repeat(24, 7), ...repeat(8, 8)]);
const FIXED_DISTANCES = codeOf(repeat(30, 5));
/** The order in which the lengths of codes for lengths stand. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Reused, because most data is not deflated. */
let scratch = new Uint8Array(0);

/** Thrown for data that is not deflated, or too much of it. */
class NotDeflated extends Error {}

/**
 * Inflates raw deflate data (RFC 1951) from a place. Returns at most `most` bytes; undefined for other data. Browsers
 * have no synchronous way to do this.
 */
export function inflate(data: Uint8Array, from: number, most: number): Uint8Array | undefined {
  if (scratch.length < most) scratch = new Uint8Array(most);
  const written = scratch;
  let [at, bit, length] = [from, 0, 0];
  const bits = (count: number): number => {
    let value = 0;
    for (let place = 0; place < count; place++) {
      if (at >= data.length) throw new NotDeflated();
      value |= ((data[at]! >> bit) & 1) << place;
      if (++bit === 8) [at, bit] = [at + 1, 0];
    }
    return value;
  };
  const symbolOf = ({ counts, symbols }: Code): number => {
    let [code, first, index] = [0, 0, 0];
    for (let size = 1; size <= MOST_BITS; size++) {
      code |= bits(1);
      const count = counts[size]!;
      if (code - count < first) return symbols[index + code - first]!;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new NotDeflated();
  };
  const readLengths = (): readonly [Code, Code] => {
    const [literals, distances, ordered] = [bits(5) + 257, bits(5) + 1, bits(4) + 4];
    const ofLengths = repeat(ORDER.length, 0);
    for (const place of ORDER.slice(0, ordered)) ofLengths[place] = bits(3);
    const code = codeOf(ofLengths);
    const lengths: number[] = [];
    while (lengths.length < literals + distances) {
      const symbol = symbolOf(code);
      if (symbol < 16) lengths.push(symbol);
      else if (symbol === 16) lengths.push(...repeat(3 + bits(2), lengths.at(-1) ?? 0));
      else lengths.push(...repeat(symbol === 17 ? 3 + bits(3) : 11 + bits(7), 0));
    }
    return [codeOf(lengths.slice(0, literals)), codeOf(lengths.slice(literals))];
  };
  const copy = (count: number, distance: number) => {
    if (distance > length) throw new NotDeflated();
    for (let left = Math.min(count, most - length); left > 0; left--) written[length] = written[length++ - distance]!;
  };
  try {
    for (let isLast = false; !isLast && length < most; ) {
      isLast = bits(1) === 1;
      const kind = bits(2);
      if (kind !== 1 && kind !== 2) throw new NotDeflated();
      const [literals, distances] = kind === 1 ? [FIXED, FIXED_DISTANCES] : readLengths();
      for (let symbol = symbolOf(literals); symbol !== 256 && length < most; symbol = symbolOf(literals)) {
        if (symbol < 256) written[length++] = symbol;
        else {
          const extra = symbol < 265 || symbol === 285 ? 0 : (symbol - 261) >> 2;
          const base = symbol === 285 ? 258 : symbol < 265 ? symbol - 254 : 3 + ((4 + ((symbol - 265) & 3)) << extra);
          const count = base + bits(extra);
          const far = symbolOf(distances);
          const more = far < 4 ? 0 : (far - 2) >> 1;
          copy(count, (far < 4 ? far + 1 : 1 + ((2 + (far & 1)) << more)) + bits(more));
        }
      }
    }
    return written.slice(0, length);
  } catch (error) {
    if (error instanceof NotDeflated) return undefined;
    throw error;
  }
}
