import { bytesOfText, decodedText, lengthAt } from './byte-text';
import { RARE, USUAL } from './form-rows';
import type { RuleId } from './rules';

/** A removed value and its rule. Byte text. */
export interface KnownValue {
  readonly rule: RuleId;
  readonly value: string;
}

/** Every form has at least this many characters. */
export const LEAST_FORM_CHARS = 6;
/** How many characters of a long value are encoded to search for it. */
const FORMED_CHARS = 16_384;
/** Characters that can follow base64 of a value: the rest of a group or of a longer encoded text. */
const BASE64_GOES_ON = /[A-Za-z0-9+/_-]*(?:=|%3[dD]){0,2}/y;

/** Returns all texts to look for to find a value. Some may be the same. */
export function formsOf({ value }: KnownValue, rare: boolean): readonly string[] {
  if (value.length > FORMED_CHARS) return [value, ...writtenForms(value.slice(0, FORMED_CHARS), false).slice(1)];
  return writtenForms(value, rare).filter((form) => form.length >= LEAST_FORM_CHARS);
}

/** Returns where a value ends whose form stands at `at`. The rest of base64 belongs to it. */
export function endOfForm(form: string, value: string, text: string, at: number): number {
  const to = at + form.length;
  return form === value || !isBase64(form) ? to : to + lengthAt(BASE64_GOES_ON, text, to);
}

function isBase64(form: string): boolean {
  return /^[A-Za-z0-9+/_-]+$/.test(form) && !/^(?:[0-9a-f]+|[0-9A-F]+)$/.test(form);
}

/** Longest value, in characters, that is looked for in rare forms. */
const RARE_CHARS = 512;

/** Returns the ways in which a value may be repeated, as byte text, the value itself first. */
export function writtenForms(value: string, rare: boolean): readonly string[] {
  const text = decodedText(value);
  const [json, uri] = [JSON.stringify(text).slice(1, -1), encodeURIComponent(text.toWellFormed())];
  const written = { value, bytes: bytesOfText(value), text, json, uri };
  const ways = rare && value.length <= RARE_CHARS ? [...USUAL, ...RARE] : USUAL;
  return ways.flatMap((way) => [...way(written)]);
}
