import type { ComponentType } from 'react';
import { TapChange } from './tap/components/tap-change';
import type { TapChangeProps } from './tap-change';

/** Changes the configs of hosts, if there is a feature for it. */
export const TAP_CHANGES: readonly ComponentType<TapChangeProps>[] = [TapChange];
