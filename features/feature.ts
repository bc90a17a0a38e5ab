import type { Log } from '@/lib/store/log';
import type { NearbyAddresses } from '@/lib/wire/command';
import type { ExitCode } from '@/proxy/cli/exit-code';
import type { CommandContext, Example, Subcommand } from '@/proxy/cli/grammar';
import type { CommandOutput } from '@/proxy/cli/output';
import type { ExportForm } from '@/proxy/commands/export/masked-copies';
import type { CommandAction, ConnectedServer } from '@/proxy/commands/headless/on-server';
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
  readonly load: () => Promise<{
    readonly exportForm: (output: OutputChoice, context: CommandContext) => ExportForm;
  }>;
}

/** A list of `list` that is not one of the protocol. */
export interface FeatureList {
  readonly name: string;
  /** A sentence of the help. */
  readonly note: string;
  /** The extension of the protocol whose servers have it: then a plain `list` prints it too. */
  readonly extension?: string;
  readonly load: () => Promise<{
    /** Prints it. `several`: among other lists, so it needs a heading. */
    readonly print: (server: ConnectedServer, several: boolean) => Promise<ExitCode>;
  }>;
}

/** Words of `read` that are not the URI of a resource. */
export interface FeatureRead {
  /** The thing that it reads: “a skill”. */
  readonly what: string;
  readonly usage: string;
  readonly examples: readonly Example[];
  readonly notes: readonly string[];
  /** True for its words. */
  names(word: string): boolean;
  readonly load: () => Promise<{
    /** Returns what reads a word. Throws an ExitError for an invalid one. */
    readonly read: (word: string) => CommandAction;
  }>;
}

/** A further look of `doctor` at a server. */
export interface DoctorLook {
  /** Its key in the JSON of `doctor`. */
  readonly key: string;
  /** A sentence of the help. */
  readonly note: string;
  readonly load: () => Promise<{
    /**
     * Looks at the server of a log, as `ask` reaches it. `readTools` reads its tools into the log; absent for a
     * connection that failed. undefined: not for this server.
     */
    readonly look: (log: Log, ask: AskNearby, readTools?: () => Promise<void>) => Promise<LookReport | undefined>;
  }>;
}

/** Asks an address near that of the server, and puts the answer into its log. */
export type AskNearby = (where: NearbyAddresses) => Promise<void>;

export interface LookReport {
  /** The server has nothing of the kind. */
  readonly isEmpty: boolean;
  /** It ends `doctor` with exit code 1. */
  readonly isWrong: boolean;
  /** For `--json`. */
  readonly value: unknown;
  /** Prints it for people. */
  print(out: CommandOutput): void;
}

/**
 * Additions of a feature to the program; PageFeature has those to the page. The rest of a feature is in its folder and
 * loads only when it runs, so deleting the folder and its rows in the lists beside it removes it completely.
 */
export interface Feature {
  readonly name: string;
  /** Subcommands, with the task that people have. */
  readonly commands?: Readonly<Partial<Record<CommandGroup, readonly Subcommand[]>>>;
  readonly lists?: readonly FeatureList[];
  readonly reads?: readonly FeatureRead[];
  readonly looks?: readonly DoctorLook[];
  readonly exportForms?: readonly FormOfExport[];
  /** Loads what finds the names of tools in kept recordings, for the completion of words. */
  readonly toolNames?: () => Promise<{
    readonly toolNames: (server: string | undefined, version: string) => Promise<readonly string[]>;
  }>;
  /** Loads what the page's server does for it. */
  readonly serve?: () => Promise<{ readonly serve: (core: PageCore) => PagePart }>;
}

/** Part of the settings of a team. */
export interface SettingsReader<T extends object = object> {
  /** Returns the fault, as the end of a sentence, if it is invalid. */
  read(settings: unknown, closest: (word: string, among: readonly string[]) => string | undefined): T | string;
  /** Returns a line for each setting that counts only if a person agrees. */
  hiddenBy(settings: T): readonly string[];
}
