import type { Command } from '@/proxy/cli/grammar';
import type { PageCore, PagePart } from '@/proxy/commands/inspect/page-part';

/** The groups of subcommands that a feature can add to, by the task that people have. */
export type Task = 'server' | 'faults' | 'model' | 'machine' | 'recordings';

/**
 * Additions of a feature to the program; PageFeature has those to the page. The rest of a feature is in its folder and
 * loads only when it runs, so deleting the folder and its rows in the lists beside it removes it completely.
 */
export interface Feature {
  readonly name: string;
  /** Subcommands, with the task that people have. */
  readonly commands?: Readonly<Partial<Record<Task, readonly Command[]>>>;
  /** Loads what the page's server does for it. */
  readonly serve?: (core: PageCore) => Promise<PagePart>;
}
