import { parseBounded } from '@/lib/wire/bounded-json';
import { stringEnd } from '@/lib/wire/json-scan';

/** A number of more digits than a double is sure to hold, as it was written. */
export class LongNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

const LONG = /\d[\d.]{15}/;
const NUMBER = /-?\d[\d.eE+-]*/y;
/** Stands in a string for a number while the rest is parsed; what a text holds of it already is left alone. */
const MARK = '\u0000number:';

/**
 * JSON.parse, with the numbers that it would round kept as {@link LongNumber}. Throws as parseBounded does: SyntaxError for what
 * is no JSON, RangeError for monsters.
 */
export function parseExact(text: string): unknown {
  const value = parseBounded(text);
  if (!LONG.test(text) || text.includes('\\u0000number:')) return value;
  return JSON.parse(marked(text), (_, each: unknown) =>
    typeof each === 'string' && each.startsWith(MARK) ? new LongNumber(each.slice(MARK.length)) : each,
  );
}

/** The text with each long number as a string. It is known to be JSON. */
function marked(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = stringEnd(text, at) - 1;
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      NUMBER.lastIndex = at;
      const digits = NUMBER.exec(text)![0];
      if (digits.length > 15 && String(Number(digits)) !== digits) {
        parts.push(text.slice(copied, at), JSON.stringify(`${MARK}${digits}`));
        copied = at + digits.length;
      }
      at += digits.length - 1;
    }
  }
  return parts.join('') + text.slice(copied);
}
