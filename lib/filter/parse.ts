import { KEYS, nearestKey } from './keys/registry';
import { type KeyTable, type ParsedFilter, parseWith } from './language/grammar';

const LOG_KEYS: KeyTable = {
  get: (name) => KEYS.get(name),
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
