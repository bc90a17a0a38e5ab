import type { CommandContext, Example, Subcommand } from '@/proxy/cli/grammar';
import type { ExportForm } from '@/proxy/commands/export/masked-copies';
import type { PageCore, PagePart } from '@/proxy/commands/inspect/page-part';
import type { OutputChoice } from '@/proxy/commands/shared/output-options';

/** The groups of subcommands that a feature can add to, by the task that people have. */
export type CommandGroup = 'server' | 'faults' | 'model' | 'machine' | 'lists' | 'reports';

/** A form in which `export` writes recordings. */
export interface FormOfExport {
  /** Its name after `--format`. */
  readonly name: string;
  /** Describes its `--out`. */
  readonly out: string;
  readonly example: Example;
  readonly load: () => Promise<(output: OutputChoice, context: CommandContext) => ExportForm>;
}

/**
 * Additions of a feature to the program; PageFeature has those to the page. The rest of a feature is in its folder and
 * loads only when it runs, so deleting the folder and its rows in the lists beside it removes it completely.
 */
export interface Feature {
  readonly name: string;
  /** Subcommands, with the task that people have. */
  readonly commands?: Readonly<Partial<Record<CommandGroup, readonly Subcommand[]>>>;
  readonly exportForms?: readonly FormOfExport[];
  /** Loads what finds the names of tools in kept recordings, for the completion of words. */
  readonly toolNames?: () => Promise<(server: string | undefined, version: string) => Promise<readonly string[]>>;
  /** Loads what the page's server does for it. */
  readonly serve?: (core: PageCore) => Promise<PagePart>;
}

/** Part of the settings of a team. */
export interface SettingsReader<T extends object = object> {
  /** Returns the fault, as the end of a sentence, if it is invalid. */
  read(settings: unknown, closest: (word: string, among: readonly string[]) => string | undefined): T | string;
  /** Returns a line for each setting that counts only if a person agrees. */
  hiddenBy(settings: T): readonly string[];
}
