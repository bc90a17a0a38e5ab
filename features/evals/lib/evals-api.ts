// The page's requests to the evals of the proxy, over POST /api/evals.
import {
  anyCheck,
  type Checked,
  isCount,
  isNumber,
  isText,
  isTextList,
  isTrue,
  kindsWith,
  listOf,
  objectWith,
  oneOf,
  optional,
} from '@/lib/json/value';
import type { EvalAttempt } from './eval-attempt';

/** Cases as a person chose them, and how they run. */
const isEvalSetup = objectWith({
  /** Name of the file, in the working directory if `isFile`. */
  name: isText,
  /** The cases, YAML or JSON. */
  text: isText,
  /** Replaces the models of the file. */
  models: optional(isTextList),
  /** Replaces the repeats of the file. */
  repeats: optional((value: unknown): value is number => isCount(value) && value > 0),
  /** Calls that may run. All others are refused, and count as the model's choice nevertheless. */
  allow: objectWith({ mode: oneOf('ask', 'read-only', 'all'), written: optional(isTextList) }),
});
export type EvalSetup = Checked<typeof isEvalSetup>;

/** Accepts a request of the page. */
export const isEvalsRequest = kindsWith('kind', {
  /** Lists kept evals, newest first, and files of the working directory that hold cases. */
  list: {},
  /** Reads a listed file of cases. */
  file: { name: isText },
  /** Says what would run. */
  plan: { setup: isEvalSetup },
  start: { setup: isEvalSetup },
  /** Makes the attempts of an eval that are still missing. */
  resume: { id: isText },
  stop: { id: isText },
  /** Deletes an eval with its recordings. */
  forget: { id: isText },
  /** Returns an eval, with the attempts from `after` on. */
  read: { id: isText, after: optional(isCount) },
  /** Opens a recording of an attempt: the chat, or the server of a call. */
  open: { id: isText, attempt: isCount, connection: optional(isText) },
});
export type EvalsRequest = Checked<typeof isEvalsRequest>;

/** The command line of an eval in a terminal. */
const isCommandSetup = objectWith({
  cwd: isText,
  files: isTextList,
  options: listOf(
    (pair: unknown): pair is readonly [name: string, values: readonly string[]] =>
      Array.isArray(pair) && isText(pair[0]) && isTextList(pair[1]),
  ),
});
export type CommandSetup = Checked<typeof isCommandSetup>;

/** Accepts an eval as the first line of its file. */
export const isEvalHead = objectWith({
  id: isText,
  /** When it began, ISO 8601. */
  at: isText,
  /** The files of cases, for people. */
  title: isText,
  cases: isNumber,
  models: isTextList,
  /** Attempts that were planned. */
  planned: isNumber,
  /** How to run it again. */
  from: anyCheck(objectWith({ page: isEvalSetup }), objectWith({ command: isCommandSetup })),
  /** `from` had secrets, which are masked, so it can’t be run again. */
  isMasked: optional(isTrue),
});
export type EvalHead = Checked<typeof isEvalHead>;

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
