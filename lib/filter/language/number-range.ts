/** A range of numbers. Either end may be excluded. */
interface Range {
  readonly from: number;
  readonly fromIncluded: boolean;
  readonly to: number;
  readonly toIncluded: boolean;
}

/** Units in lower case and their factors. `''` is the factor of a number without a unit. */
export type Units = Readonly<Record<string, number>>;

export const COUNT: Units = { '': 1 };
/** Powers of 1000, as sizes are displayed. */
export const BYTES: Units = { '': 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9 };
/** In microseconds. The two micro signs are different characters that look alike. */
export const TIME: Units = { us: 1, µs: 1, μs: 1, ms: 1e3, s: 1e6, m: 60e6, min: 60e6, h: 3600e6 };

const ALL: Range = {
  from: Number.NEGATIVE_INFINITY,
  fromIncluded: true,
  to: Number.POSITIVE_INFINITY,
  toIncluded: true,
};
const PARTS = /(\d+(?:\.(\d+))?)([a-zµμ]*)/gy;

/** A number, and the value of one unit in its last digit, which is its precision. */
interface Amount {
  readonly value: number;
  readonly step: number;
}

/**
 * Parses `>5kb`, `>=5kb`, `<5kb`, `<=5kb`, `5kb..10kb` (inclusive; either end may be missing) or `5kb`, which means 5
 * kB to just under 6 kB. Returns undefined for anything else.
 */
export function readRange(text: string, units: Units): Range | undefined {
  const lower = text.toLowerCase();
  const compared = /^(>=|<=|>|<)(.*)$/.exec(lower);
  if (compared) {
    const amount = readAmount(compared[2]!, units);
    if (!amount) return undefined;
    const included = compared[1]!.endsWith('=');
    return compared[1]!.startsWith('>')
      ? { ...ALL, from: amount.value, fromIncluded: included }
      : { ...ALL, to: amount.value, toIncluded: included };
  }
  const dots = lower.indexOf('..');
  if (dots >= 0) return between(lower.slice(0, dots), lower.slice(dots + 2), units);
  const amount = readAmount(lower, units);
  return amount && { from: amount.value, fromIncluded: true, to: amount.value + amount.step, toIncluded: false };
}

/** True if the number is in the range. NaN never is. */
export function isInRange({ from, fromIncluded, to, toIncluded }: Range, value: number): boolean {
  return (fromIncluded ? value >= from : value > from) && (toIncluded ? value <= to : value < to);
}

function between(first: string, last: string, units: Units): Range | undefined {
  const from = first === '' ? undefined : readAmount(first, units);
  const to = last === '' ? undefined : readAmount(last, units);
  if ((first !== '' && !from) || (last !== '' && !to) || (!from && !to)) return undefined;
  return { ...ALL, ...(from && { from: from.value }), ...(to && { to: to.value }) };
}

/** Parses one or more numbers with units: `1m30s`. */
function readAmount(text: string, units: Units): Amount | undefined {
  let value = 0;
  let step = 0;
  let end = 0;
  for (const [part, number, decimals = '', unit = ''] of text.matchAll(PARTS)) {
    if (!Object.hasOwn(units, unit)) return undefined;
    value += Number(number) * units[unit]!;
    step = units[unit]! / 10 ** decimals.length;
    end += part.length;
  }
  return end === text.length && end > 0 ? { value, step } : undefined;
}
