import { useHostView } from './intercept/components/overlay/host-view';
import type { UseToolChanges } from './page-feature';

/** Changes tools as a client sees them; undefined without that feature. */
export const USE_TOOL_CHANGES: UseToolChanges | undefined = [useHostView][0];
