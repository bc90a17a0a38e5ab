import { type Checked, isFlag, isNumber, isText, isTextList, listOf, objectWith, optional } from '@/lib/json/value';

/** A tool that was expected, and the tool that the model called in its place. Both as the model sees them. */
const TOOL_CHOICE = objectWith({ expected: isText, chosen: isText });
export type ToolChoice = Checked<typeof TOOL_CHOICE>;

const TOKENS = objectWith({
  input: isNumber,
  output: isNumber,
  /** False if a part is an estimate. */
  exact: isFlag,
});
export type RunTokens = Checked<typeof TOKENS>;

/** A call of the model, with its frame in the recorded connection if it ran. */
const CALL = objectWith({
  name: isText,
  arguments: isText,
  decision: isText,
  server: optional(isText),
  connection: optional(isText),
  frame: optional(isNumber),
});
export type AttemptCall = Checked<typeof CALL>;

/** `connection`: id of the recording, which calls name. */
const SERVER_RECORDING = objectWith({ connection: isText, server: isText, recording: isText });
export type ServerRecording = Checked<typeof SERVER_RECORDING>;

/** Accepts one run of a case with a model and its score, as a line of the file that keeps an eval. */
export const isAttempt = objectWith({
  /** From 1, among all attempts of the eval. */
  number: isNumber,
  file: isText,
  line: isNumber,
  name: isText,
  model: isText,
  /** From 1. */
  repeat: isNumber,
  /** Why it failed, a sentence each; none if it passed. */
  reasons: isTextList,
  /** For the confusion matrix. */
  choices: listOf(TOOL_CHOICE),
  /** Code of what kept the model or a server from answering. Then the run says nothing about the model. */
  error: optional(isText),
  /** Beginning of the answer. */
  text: isText,
  /** The turn in the recorded chat, and the file if it was recorded. */
  turn: isText,
  recording: optional(isText),
  calls: listOf(CALL),
  /** Recordings of its servers, which other runs may share. */
  servers: optional(listOf(SERVER_RECORDING)),
  /** Calls that nobody had allowed. */
  refused: isNumber,
  tokens: TOKENS,
  milliseconds: isNumber,
});
export type EvalAttempt = Checked<typeof isAttempt>;
