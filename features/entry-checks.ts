import type { EntryCheck } from './entry-check';
import { entryObstacles } from './hosts/lib/entry-facts';

/** The checks of entries in the configs of hosts. */
export const ENTRY_CHECKS: readonly EntryCheck[] = [entryObstacles];
