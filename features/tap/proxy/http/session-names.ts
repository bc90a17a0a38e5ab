import { randomBytes } from 'node:crypto';

/** Returns a new name for a session of a tap. */
export function newSessionName(tap: string): string {
  return `${tap}.${randomBytes(8).toString('hex')}`;
}
