import { sha256 } from '@noble/hashes/sha2.js';

/** What tells contents apart: for the same bytes the same text, and nobody can make other bytes for it. */
export type ContentDigest = (bytes: Uint8Array) => string;

/** SHA-256, for where nothing faster is at hand. */
export const contentDigest: ContentDigest = (bytes) => String.fromCharCode(...sha256(bytes));
