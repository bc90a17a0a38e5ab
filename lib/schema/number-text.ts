import { exactNumber, isLiteral } from './json';

const NUMBER = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/**
 * The value that text typed into a number field stands for: a number (exact beyond 2^53 − 1), the text itself when it is no
 * number, undefined when there is none. `1e3` is 1000; `+5`, `05` and `.5` are read as people mean them.
 */
export function readNumber(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const match = NUMBER.exec(trimmed);
  if (match === null) return text;
  const [, sign, whole, fraction, exponent] = match;
  const digits = `${sign === '-' ? '-' : ''}${whole!.replace(/^0+(?=\d)/, '') || '0'}`;
  return exactNumber(`${digits}${fraction ? `.${fraction}` : ''}${exponent === undefined ? '' : `e${exponent}`}`);
}

/** The text to show for a value in a number field. */
export function writeNumber(value: unknown): string {
  if (value === undefined || value === null) return '';
  return isLiteral(value) ? value.rawJSON : String(value);
}

/** True for numbers, doubles or kept as digits. */
export function isNumber(value: unknown): boolean {
  return typeof value === 'number' || isLiteral(value);
}

/** True for numbers without a fraction. Digits beyond 2^53 − 1 count; so does `1.0`, as JSON Schema says. */
export function isInteger(value: unknown): boolean {
  if (!isLiteral(value)) return Number.isInteger(value);
  return /^-?\d+$/.test(value.rawJSON) || Number.isInteger(Number(value.rawJSON));
}
