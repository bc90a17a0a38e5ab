import type { ComponentType } from 'react';
import type { TapChangeProps } from './page-feature';
import { TapChange } from './tap/components/tap-change';

/** Changes the configs of hosts, if there is a feature for it. */
export const TAP_CHANGES: readonly ComponentType<TapChangeProps>[] = [TapChange];
