/** Times that a list can be limited to with one choice. `''`: any time. */
export const SINCE_CHOICES = [
  { value: '', label: 'Any time' },
  { value: '1d', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
] as const;

/** Returns the value of a key in a query; '' if it has none. */
export function valueIn(query: string, key: 'since' | 'is'): string {
  return new RegExp(`(?:^|\\s)${key}:(\\S+)`, 'i').exec(query)?.[1] ?? '';
}

/** Returns a query with another value of a key; '' removes it. */
export function withValue(query: string, key: 'since' | 'is', value: string): string {
  const without = query.replace(new RegExp(`(^|\\s)${key}:\\S*`, 'gi'), '$1');
  return [without.replace(/\s+/g, ' ').trim(), value && `${key}:${value}`].filter(Boolean).join(' ');
}
