/** A value from the wire within a sentence: quoted, and cut. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? 'undefined');
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}

/** Whose message it is. */
export function whose(direction: 'to-server' | 'to-client'): string {
  return direction === 'to-server' ? 'the client' : 'the server';
}
