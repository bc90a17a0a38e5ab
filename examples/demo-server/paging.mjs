// @ts-check
import { invalidParams } from './errors.mjs';

/**
 * One page of a list result. A cursor is opaque to the client; ours is where the next page begins.
 *
 * @param {string} key The member of the result that holds the items.
 * @param {readonly object[]} items
 * @param {unknown} cursor
 * @param {number} size
 * @returns {import('./eras.mjs').JsonObject}
 */
export function page(key, items, cursor, size) {
  const start = cursor === undefined ? 0 : offsetOf(cursor);
  const end = start + size;
  return { [key]: items.slice(start, end), ...(end < items.length ? { nextCursor: cursorOf(end) } : {}) };
}

/** @param {number} offset */
function cursorOf(offset) {
  return Buffer.from(`from ${offset}`).toString('base64url');
}

/** @param {unknown} cursor */
function offsetOf(cursor) {
  const match = /^from (\d+)$/.exec(Buffer.from(String(cursor), 'base64url').toString());
  if (typeof cursor !== 'string' || match === null) throw invalidParams('Invalid cursor');
  return Number(match[1]);
}
