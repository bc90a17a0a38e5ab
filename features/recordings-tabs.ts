import type { RecordingsTab } from './page-feature';
import { TEAM_TABS } from './team/recordings-tabs';

/** The tabs of Recordings that features add. Apart from the other lists, because it is loaded with that page. */
export const RECORDINGS_TABS: readonly RecordingsTab[] = [TEAM_TABS].flat();
