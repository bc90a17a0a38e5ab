import type { Command } from '@/proxy/cli/grammar';

/** The groups of subcommands that a feature can add to, by the task that people have. */
export type Task = 'server' | 'faults' | 'model' | 'machine' | 'recordings';

/**
 * What a feature adds to the core's registries. The rest of a feature is in its folder and loads only when it runs, so
 * deleting the folder and its row in ./features removes it completely.
 */
export interface Feature {
  /** Subcommands, below those of the core. */
  readonly commands?: Readonly<Partial<Record<Task, readonly Command[]>>>;
}
