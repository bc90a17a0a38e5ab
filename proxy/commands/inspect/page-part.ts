import type { GivenOptions } from '@/proxy/cli/grammar';
import type { CommandConfirmation } from '@/proxy/connection/command-confirmation';
import type { HttpRoute } from '@/proxy/http/routes';
import type { PageHub } from './page-hub';
import type { PageModels } from './page-models';

/** What the page's server has for its parts. */
export interface PageCore {
  readonly hub: PageHub;
  readonly version: string;
  /** Folder of the installed program. */
  readonly home: string;
  readonly given: GivenOptions;
  /** True if nothing is recorded or kept. */
  readonly keepsNothing: boolean;
  /** Absent unless commands are confirmed in the terminal. */
  readonly confirmation: CommandConfirmation | undefined;
  /** Loads the models, once. */
  models(): Promise<PageModels>;
  printNote(sentence: string): void;
}

/** What the page's server does for one feature. */
export interface PagePart {
  readonly routes: readonly HttpRoute[];
  /** True while something runs that the end of the page would stop. */
  isRunning(): boolean;
  close(): Promise<void>;
}
