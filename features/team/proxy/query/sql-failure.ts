import { isObject, own, textOrJson } from '@/lib/json/value';

/** Characters shown before and after the place of an error. */
const SHOWN_CHARS = 60;

/** Messages of DuckDB that name our settings, and what they mean for the person. */
const REFUSED =
  /file system operations are disabled|configuration has been locked|extensions? is disabled|Cannot access/;

/** Messages about a table that does not exist. */
const UNKNOWN_VIEW = /^(?:Catalog Error: )?Table .* does not exist/;
const VIEWS = 'The views are frames, exchanges, calls, problems and recordings.';
/** A suggestion of DuckDB that is not one of our views, but one of its own tables. */
const OTHER_TABLE = / ?Did you mean "(?!(?:frames|exchanges|calls|problems|recordings)")[^"]*"\??/;

/**
 * Describes an error of DuckDB in two sentences, with its place in the statement. DuckDB writes errors as JSON, because
 * its session asks for it.
 */
export function sqlFailureText(sql: string, error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const facts = factsOf(text);
  const message = facts ? sentenceOf(textOrJson(own(facts, 'exception_message') ?? text)) : sentenceOf(text);
  if (REFUSED.test(message)) return `A query can only read the views. DuckDB: ${message}`;
  const isUnknown = UNKNOWN_VIEW.test(message);
  const known = isUnknown ? ` ${VIEWS}` : '';
  const position = Number.parseInt(facts ? textOrJson(own(facts, 'position')) : '', 10);
  const shown = isUnknown ? sentenceOf(message.replace(OTHER_TABLE, '')) : message;
  return Number.isInteger(position) ? `${shown} \`${markedAt(sql, position)}\`${known}` : `${shown}${known}`;
}

function factsOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const facts: unknown = JSON.parse(text.slice(text.indexOf('{')));
    return isObject(facts) ? facts : undefined;
  } catch {
    return undefined;
  }
}

/** Makes one line of a message, with a full stop. */
function sentenceOf(message: string): string {
  const line = message.trim().replace(/\s*\n\s*/g, ' ');
  const first = line.slice(0, 1).toUpperCase() + line.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/** Returns the statement around a place with a mark. `position` counts bytes. */
function markedAt(sql: string, position: number): string {
  const bytes = new TextEncoder().encode(sql);
  const at = new TextDecoder().decode(bytes.subarray(0, position)).length;
  const [from, to] = [Math.max(0, at - SHOWN_CHARS), at + SHOWN_CHARS];
  const shown = `${sql.slice(from, at)}⟨here⟩${sql.slice(at, to)}`.replace(/\s+/g, ' ');
  return `${from > 0 ? '…' : ''}${shown}${to < sql.length ? '…' : ''}`;
}
