import { type NamedSecret, namedSecret } from './secret-names';

/**
 * What a table is: `rows` of a database, as JSON or as statements; a `grid` or a list of values, as programs print and export them; or a
 * `document`, whose columns may be about secrets as well.
 */
export type TableKind = 'rows' | 'grid' | 'document';

/** Of which a column hardly has anything else in it. */
const SURE: ReadonlySet<NamedSecret['rule']> = new Set(['password', 'oauth', 'private-key', 'api-key', 'token']);

/** What is secret in the column of a table by what it is called; undefined for no secret. */
export function columnSecret(name: string, kind: TableKind): NamedSecret | undefined {
  const named = namedSecret(name, 'member');
  if (!named || named.weak) return kind === 'rows' ? named : undefined;
  const { rule, value } = named;
  if (value === 'phrase' || (value === 'any' && kind === 'rows')) return named;
  if (SURE.has(rule) && (value === 'any' || rule === 'api-key')) {
    return kind === 'document' ? { rule, value: 'solid-cell', asked: 'cell' } : { rule, value: 'cell', asked: 'any' };
  }
  // What is called token, secret or cookie may be words, names, or kinds of them.
  return kind === 'document' ? { rule, value: 'random' } : { rule, value: 'random', asked: 'opaque' };
}
