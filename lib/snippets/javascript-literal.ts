import { compactJson, prettyJson } from '@/lib/schema/json';
import { HIDDEN_CHARACTERS } from '@/lib/wire/hidden-characters';

/** What hides or turns text in an editor; escapes show it, and mean the same. */
const HIDDEN = new RegExp(`[${HIDDEN_CHARACTERS}\\u200c\\u200d]`, 'gu');

/** JSON as an expression of JavaScript. A member `__proto__` means something else in a literal: with one, the JSON is parsed. */
export function javascriptLiteral(json: string): string {
  const hasProto = JSON.stringify(JSON.parse(json)).includes('"__proto__":');
  return showHidden(hasProto ? `JSON.parse(${JSON.stringify(compactJson(json))})` : prettyJson(json), unitEscapes);
}

/** Hidden characters within strings as what `written` makes of each. */
export function showHidden(text: string, written: (character: string) => string): string {
  return text.replace(HIDDEN, written);
}

/** An escape for each UTF-16 unit, as JSON and JavaScript write them. */
function unitEscapes(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
