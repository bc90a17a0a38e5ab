import { FILTER_KEYS, nearestKey } from './keys/registry';
import { type FilterFault, type KeyTable, type ParsedFilter, parseWith, tokenize } from './language/grammar';

const LOG_KEYS: KeyTable = {
  get: (name) => FILTER_KEYS.get(name),
  explain(name) {
    const near = nearestKey(name);
    const hint = near ? ` Did you mean ${near}:?` : '';
    return `Unknown key ${name}.${hint} To search for the text, put it in quotes.`;
  },
};

/** Parses a filter of the log. Never throws; reports the first error. */
export function parseFilter(text: string): ParsedFilter {
  return parseWith(LOG_KEYS, text);
}

/**
 * Returns the filter of the terms before an unfinished one at the end of a text, so that `kind:request status:` still
 * filters by `kind:request` while its value is typed. undefined for a fault further to the left: then the last text
 * without a fault applies.
 */
export function parseFinished(text: string, { at }: FilterFault): Extract<ParsedFilter, { ok: true }> | undefined {
  const starts = tokenize(text).map((token) => token.at);
  if (starts.some((start) => start > at)) return undefined;
  for (const start of starts.reverse()) {
    const parsed = parseFilter(text.slice(0, start));
    if (parsed.ok) return parsed;
  }
  return undefined;
}
