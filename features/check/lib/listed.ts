import type { JsonObject } from '@/lib/json/value';

/** Kinds of entries that a server lists. */
export const LISTED_KINDS = ['tools', 'resources', 'templates', 'prompts'] as const;

export type ListedKind = (typeof LISTED_KINDS)[number];

/** The lists of a server, all pages together. A kind that it does not have is missing. */
export type Listed = { readonly [K in ListedKind]?: readonly JsonObject[] };
