import type { ComponentType } from 'react';
import type { IconName } from '@/components/ui/icon';
import type { Log } from '@/lib/store/log';
import type { LogState } from '@/lib/store/state/state';
import type { Channel } from '@/lib/wire/frame';

/**
 * The place of a panel: the rail, the chip with the server's state, or (`aside`) a button above the log or in Browse.
 * Panels in one place replace each other, but each panel of `own` has its own entry in the rail. Comparing two runs is
 * a tab beside the panels of `runs`.
 */
export type PanelPlace = 'browse' | 'own' | 'inbox' | 'problems' | 'runs' | 'server' | 'aside';

/** A view of the upper half. It reads the log, and holds no protocol state of its own. */
export interface Panel {
  /** The panel's name in the page's address. */
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  readonly place: PanelPlace;
  /** Other words that find it in the palette. */
  readonly also?: string;
  /** The key that opens the panel after `g`. */
  readonly key?: string;
  /** Coming back to the panel shows the item that it showed last. */
  readonly keepsItem?: true;
  /** Channel of the frames that it shows. A recording that begins with one opens it, because it has no connection. */
  readonly channel?: Channel;
  /** Shows something of a connection that never opened, in place of the failure. */
  readonly isForFailures?: true;
  /** It is offered only for these logs. Its key opens it for all. */
  readonly fits?: (state: LogState) => boolean;
  /** For `runs`: false while the rail needs no entry for it. */
  readonly useIsWanted?: () => boolean;
  /** The end of “Restart the server and …”, if a save makes it do something. */
  readonly afterSave?: string;
  /** Draws a count beside the title; nothing for none. */
  readonly Badge?: ComponentType<{ readonly log: Log }>;
  readonly Component: ComponentType<{ readonly log: Log }>;
}
