// The page's requests to the evals of the proxy, over POST /api/evals.
import type { Allowance } from '@/features/chat/lib/chat-frame';
import type { EvalAttempt } from './attempt';

/** Cases as a person chose them, and how they run. */
export interface EvalSetup {
  /** Name of the file, in the working directory if `isFile`. */
  readonly name: string;
  /** The cases, YAML or JSON. */
  readonly text: string;
  /** Replaces the models of the file. */
  readonly models?: readonly string[];
  /** Replaces the repeats of the file. */
  readonly repeats?: number;
  /** Calls that may run. All others are refused, and count as the model's choice nevertheless. */
  readonly allow: Allowance;
}

export type EvalsRequest =
  /** Lists kept evals, newest first, and files of the working directory that hold cases. */
  | { readonly kind: 'list' }
  /** Reads a listed file of cases. */
  | { readonly kind: 'file'; readonly name: string }
  /** Says what would run. */
  | { readonly kind: 'plan'; readonly setup: EvalSetup }
  | { readonly kind: 'start'; readonly setup: EvalSetup }
  /** Makes the attempts of an eval that are still missing. */
  | { readonly kind: 'resume'; readonly id: string }
  | { readonly kind: 'stop'; readonly id: string }
  /** Deletes an eval with its recordings. */
  | { readonly kind: 'forget'; readonly id: string }
  /** Returns an eval, with the attempts from `after` on. */
  | { readonly kind: 'read'; readonly id: string; readonly after?: number }
  /** Opens a recording of an attempt: the chat, or the server of a call. */
  | { readonly kind: 'open'; readonly id: string; readonly attempt: number; readonly connection?: string };

/** An eval, as the first line of its file says. */
export interface EvalHead {
  readonly id: string;
  /** When it began, ISO 8601. */
  readonly at: string;
  /** The files of cases, for people. */
  readonly title: string;
  readonly cases: number;
  readonly models: readonly string[];
  /** Attempts that were planned. */
  readonly planned: number;
  /** How to run it again. */
  readonly from: { readonly page: EvalSetup } | { readonly command: CommandSetup };
  /** `from` had secrets, which are masked, so it can’t be run again. */
  readonly isMasked?: boolean;
}

/** The command line of an eval in a terminal. */
export interface CommandSetup {
  readonly cwd: string;
  readonly files: readonly string[];
  readonly options: readonly (readonly [name: string, values: readonly string[]])[];
}

export type EvalState = 'running' | 'done' | 'stopped';

export interface EvalSummary extends Omit<EvalHead, 'from'> {
  /** The place where it was started. */
  readonly from: 'page' | 'command';
  readonly state: EvalState;
  /** Attempts that were made. */
  readonly made: number;
  readonly passed: number;
  /** Why it ended early, in two sentences. */
  readonly problem?: string;
}

/** A server that an eval starts. */
export interface PlannedServer {
  readonly name: string;
  /** Its command or URL, as a config has it. */
  readonly what: string;
  /** It is started as the connected server of this name is. */
  readonly isConnected: boolean;
}

export interface PlannedCase {
  readonly name: string;
  readonly line: number;
  readonly prompt: string;
  /** The expectations, a phrase each. */
  readonly expects: readonly string[];
}

export interface PlanReply {
  readonly cases: readonly PlannedCase[];
  readonly models: readonly string[];
  readonly repeats: number;
  readonly servers: readonly PlannedServer[];
  /** Attempts in all. */
  readonly attempts: number;
}

export interface ReadReply {
  readonly summary: EvalSummary;
  readonly attempts: readonly EvalAttempt[];
}

/** The answer to each kind of request. Kinds not listed answer `{}`. */
export interface EvalsReplies {
  readonly list: {
    readonly evals: readonly EvalSummary[];
    readonly files: readonly string[];
    /** Nothing is kept or recorded in this run. */
    readonly keepsNothing: boolean;
  };
  readonly file: { readonly text: string };
  readonly plan: PlanReply;
  readonly start: { readonly id: string };
  readonly read: ReadReply;
  readonly open: { readonly connection: string };
}
