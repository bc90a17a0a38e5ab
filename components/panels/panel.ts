import type { ComponentType } from 'react';
import type { IconName } from '@/components/ui/icon';
import type { Log } from '@/lib/store/log';
import type { LogState } from '@/lib/store/state';

/** One tab of the workbench. A selector over the log: it holds no protocol state of its own. */
export interface Panel {
  /** In the address. */
  readonly id: string;
  readonly title: string;
  /** Stands for the title in a narrow window. */
  readonly icon: IconName;
  /** Pressed after `g`, it opens the panel. */
  readonly key: string;
  /** A count beside the title; undefined for none. */
  readonly badge?: (state: LogState) => number | undefined;
  /** A count that is no part of the log's state. */
  readonly Badge?: ComponentType<{ readonly log: Log }>;
  readonly Component: ComponentType<{ readonly log: Log }>;
}
