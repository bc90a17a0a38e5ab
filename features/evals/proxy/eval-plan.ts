import type { Allowance, OfferedTool, ToolMode } from '@/features/chat/lib/chat-frame';
import type { ChatServer, Model } from '@/features/chat/lib/model';
import { namesOf, type UnknownName } from '@/features/evals/lib/check-names';
import type { CasesFile } from '@/features/evals/lib/eval-case';
import { CasesError } from '@/features/evals/lib/read-cases';
import type { Failure } from '@/lib/wire/lifecycle';
import { closest } from '@/proxy/cli/closest';

/** A file of cases with everything that its runs need. */
export interface EvalPlan {
  /** As it was named. */
  readonly file: string;
  readonly settings: CasesFile;
  readonly models: readonly Model[];
  readonly repeats: number;
  /** Names of the servers that its cases use. */
  readonly servers: readonly string[];
  /** How the model is asked, before what the file says. */
  readonly given: EvalSettings;
  /** Returns servers that can be started. `recordIn` names the file for the recording of each. */
  newServers(recordIn: ((server: string) => string) | undefined): EvalServers;
}

/** The settings that win over those of a file. */
export interface EvalSettings {
  readonly system?: string;
  readonly temperature?: number;
  readonly toolMode?: ToolMode;
  readonly naming?: string;
  readonly limits: CasesFile['limits'];
}

/** Servers that run side by side until they are closed. */
export interface EvalServers {
  /** Starts the servers with these names. Resolves once each is connected or has failed. */
  open(names: readonly string[]): Promise<{
    readonly servers: readonly ChatServer[];
    readonly failed: readonly {
      readonly name: string;
      readonly failure: Failure;
      /** The end of its stderr. */
      readonly stderr: readonly string[];
    }[];
  }>;
  /** One of them ended by itself. */
  readonly isBroken: boolean;
  close(): Promise<void>;
}

/** Returns a sentence about a name of a cases file that no server has. */
export function unknownNameError(file: string, { line, member, name, known }: UnknownName): CasesError {
  const what = member === 'expect' ? 'the expected tool' : member === 'forbidden' ? 'a forbidden tool' : 'an answer';
  return new CasesError(
    `\`${file}\`, line ${line}: no server offers \`${shown(name)}\`, the name of ${what}: ${advice(name, known)}`,
  );
}

/** Throws a CasesError if an allowance names a tool that none of the servers has. */
export function checkAllowance({ written = [] }: Allowance, offered: readonly OfferedTool[]): void {
  const known = namesOf(offered);
  const unknown = written.find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new CasesError(
    `\`--allow\` names \`${shown(unknown)}\`, which no server offers: ${advice(unknown, [...known])}`,
  );
}

/** Characters of a name, and names of a sentence. */
const SHOWN_CHARS = 128;
const SHOWN_NAMES = 12;

function shown(name: string): string {
  return name.slice(0, SHOWN_CHARS);
}

function advice(name: string, known: readonly string[]): string {
  const near = closest(name, known);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  if (known.length === 0) return 'they offer no tools.';
  const list = known.slice(0, SHOWN_NAMES).map((one) => `\`${shown(one)}\``);
  return `there is ${list.join(', ')}${known.length > SHOWN_NAMES ? ' and others' : ''}.`;
}
