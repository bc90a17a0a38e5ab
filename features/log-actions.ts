import type { ComponentType } from 'react';
import { HoldMenu } from './intercept/components/hold-menu';
import type { LogActionProps } from './page-feature';

/** The buttons of features above the log. */
export const LOG_ACTIONS: readonly ComponentType<LogActionProps>[] = [HoldMenu];
