import type { BrowseEntries } from './page-feature';
import { skillEntries } from './skills/components/skill-group';

/** The entries that features add to Browse. Apart from the other lists, because it is loaded with Browse. */
export const BROWSE_GROUPS: readonly BrowseEntries[] = [skillEntries];
