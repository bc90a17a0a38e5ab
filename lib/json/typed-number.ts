import { exactNumber } from './exact';

/** Matches the numbers of JSON. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const TYPED_NUMBER = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/**
 * Reads the text of a number field. Returns a number with the digits as typed (`0.10`, `1e3`), the text itself if it is
 * not a number, or undefined if it is blank. `+5`, `05` and `.5`, which JSON does not allow, become `5` and `0.5`.
 */
export function readTypedNumber(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (JSON_NUMBER.test(trimmed)) return exactNumber(trimmed);
  const match = TYPED_NUMBER.exec(trimmed);
  if (match === null) return text;
  const [, sign, whole, fraction, exponent] = match;
  const digits = `${sign === '-' ? '-' : ''}${whole!.replace(/^0+(?=\d)/, '') || '0'}`;
  return exactNumber(`${digits}${fraction ? `.${fraction}` : ''}${exponent === undefined ? '' : `e${exponent}`}`);
}
