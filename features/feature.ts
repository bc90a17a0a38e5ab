import type { Command } from '@/proxy/cli/grammar';

/** The groups of subcommands that a feature can add to, by the task that people have. */
export type Task = 'server' | 'faults' | 'model' | 'machine' | 'recordings';

/**
 * What a feature adds to the registries of the core. Everything else of it is in its folder, and is loaded from here
 * only when it runs. So without the folder and its row in ./features nothing of it is left.
 */
export interface Feature {
  /** Name of its folder. */
  readonly name: string;
  /** Subcommands, below those of the core. */
  readonly commands?: Readonly<Partial<Record<Task, readonly Command[]>>>;
}
