/** Numbers that fit: those from `from` to `to`, each end in it or not. */
export interface Range {
  readonly from: number;
  readonly fromIncluded: boolean;
  readonly to: number;
  readonly toIncluded: boolean;
}

/** How a number may end, and what that multiplies it by. Lower case. `''`: a bare number is one. */
export type Units = Readonly<Record<string, number>>;

const ALL: Range = {
  from: Number.NEGATIVE_INFINITY,
  fromIncluded: true,
  to: Number.POSITIVE_INFINITY,
  toIncluded: true,
};
const PARTS = /(\d+(?:\.(\d+))?)([a-zµμ]*)/gy;

/** A number, and how much its last digit stands for. */
interface Amount {
  readonly value: number;
  readonly step: number;
}

/**
 * Reads `>5kb`, `>=5kb`, `<5kb`, `<=5kb`, `5kb..10kb` with both ends in it and either of them left out, or `5kb`: all that begins
 * so, up to the next value of the last digit. undefined for anything else.
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

/** True if the number is in it. NaN is in none. */
export function isWithin({ from, fromIncluded, to, toIncluded }: Range, value: number): boolean {
  return (fromIncluded ? value >= from : value > from) && (toIncluded ? value <= to : value < to);
}

function between(first: string, last: string, units: Units): Range | undefined {
  const from = first === '' ? undefined : readAmount(first, units);
  const to = last === '' ? undefined : readAmount(last, units);
  if ((first !== '' && !from) || (last !== '' && !to) || (!from && !to)) return undefined;
  return { ...ALL, ...(from && { from: from.value }), ...(to && { to: to.value }) };
}

/** One number with its unit, or several in a row: `1m30s`. */
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
