import { prettyJson } from '@/lib/schema/json';

/** What hides or turns text in an editor; escapes show it, and mean the same. */
const HIDDEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** JSON as an expression of JavaScript. A member `__proto__` means something else in a literal: with one, the JSON is parsed. */
export function javascriptLiteral(json: string): string {
  const value = JSON.stringify(JSON.parse(json));
  return showHidden(value.includes('"__proto__":') ? `JSON.parse(${JSON.stringify(value)})` : prettyJson(json));
}

/** Hidden characters within strings as escapes, which JSON, JavaScript and Python write alike. */
export function showHidden(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
