// The content of a file of cases: prompts, and what a model should do with each.
import type { ChatLimits, ToolMode } from '@/features/chat/lib/chat-frame';
import type { JsonObject } from '@/lib/json/value';

/** A file of cases. Its own settings hold unless the command line gives others. */
export interface CasesFile {
  /** Config with the servers, relative to the file. */
  readonly config?: string;
  /** `provider:model` of each model that is measured. */
  readonly models: readonly string[];
  /** How often each case runs with each model. */
  readonly repeat?: number;
  readonly system?: string;
  readonly temperature?: number;
  readonly toolMode?: ToolMode;
  readonly limits: Partial<ChatLimits>;
  readonly cases: readonly EvalCase[];
}

/** One prompt, and what a model should do with it. */
export interface EvalCase {
  /** Unique in its file. */
  readonly name: string;
  /** Line of the file where it begins. */
  readonly line: number;
  readonly prompt: string;
  readonly system?: string;
  /** Names of the servers that are offered; all of the config unless set. */
  readonly servers?: readonly string[];
  /** Starts new servers for each run, so that no run sees what another has changed. */
  readonly fresh: boolean;
  /** Answers in the place of tools, by name. These tools are never called. */
  readonly answers: ReadonlyMap<string, string>;
  readonly expect: Expectation;
}

export interface Expectation {
  /** Calls that have to be made, in any order. */
  readonly calls: readonly ExpectedCall[];
  /** Tools that must not be called. */
  readonly forbidden: readonly string[];
  /** Tests of the text of the answer. All must hold. */
  readonly text: readonly ValueTest[];
  readonly mostCalls?: number;
}

/** A call of a tool, which is named as the model sees it, or as its server names it. */
export interface ExpectedCall {
  readonly tool: string;
  /** The arguments by value: these and no others. */
  readonly arguments?: JsonObject;
  /** JSON Schema of the arguments. */
  readonly schema?: JsonObject;
  /** Tests of single arguments. */
  readonly where: readonly ArgumentTest[];
}

export interface ArgumentTest {
  /** JSON Pointer into the arguments; '' for all of them. */
  readonly path: string;
  readonly test: ValueTest;
}

/** A test of one value. Every member that is given must hold. */
export interface ValueTest {
  readonly equals?: unknown;
  readonly oneOf?: readonly unknown[];
  /** Text that a string contains, or a value that an array contains. */
  readonly contains?: unknown;
  /** A valid regular expression that a string matches somewhere. */
  readonly matches?: string;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** Whether there is a value. */
  readonly present?: boolean;
  readonly not?: ValueTest;
}
