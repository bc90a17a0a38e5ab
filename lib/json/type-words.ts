import { isExactNumber } from './exact';

/** Returns a value's JSON type in words: `a string`, `an array`, `null`. */
export function typeWords(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return withArticle(isExactNumber(value) ? 'number' : typeof value);
}

/** Returns a JSON type with its article: `an integer`. */
export function withArticle(type: string): string {
  return type === 'null' ? type : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
}
