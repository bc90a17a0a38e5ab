// Checks of what the page sends about evals, and of the lines that keep one.
import {
  anyCheck,
  isNumber,
  isText,
  isTextList,
  isTrue,
  listOf,
  objectWith,
  oneOf,
  optional,
  type TypeCheck,
} from '@/lib/json/value';
import type { EvalAttempt } from './attempt';
import type { EvalHead } from './evals-api';

/** Checks an `EvalSetup`. */
export const isEvalSetup: TypeCheck = objectWith({
  name: isText,
  text: isText,
  models: optional(isTextList),
  repeats: optional((value) => Number.isSafeInteger(value) && (value as number) > 0),
  allow: objectWith({ mode: oneOf('ask', 'read-only', 'all'), written: optional(isTextList) }),
});

const isCommandSetup: TypeCheck = objectWith({
  cwd: isText,
  files: isTextList,
  options: listOf((pair) => Array.isArray(pair) && isText(pair[0]) && isTextList(pair[1])),
});

const headFields: TypeCheck = objectWith({
  id: isText,
  at: isText,
  title: isText,
  cases: isNumber,
  models: isTextList,
  planned: isNumber,
  from: anyCheck(objectWith({ page: isEvalSetup }), objectWith({ command: isCommandSetup })),
  isMasked: optional(isTrue),
});

export function isEvalHead(value: unknown): value is EvalHead {
  return headFields(value);
}

const attemptFields: TypeCheck = objectWith({
  number: isNumber,
  file: isText,
  line: isNumber,
  name: isText,
  model: isText,
  repeat: isNumber,
  reasons: isTextList,
  choices: listOf(objectWith({ expected: isText, chosen: isText })),
  error: optional(isText),
  text: isText,
  turn: isText,
  recording: optional(isText),
  calls: listOf(
    objectWith({
      name: isText,
      arguments: isText,
      decision: isText,
      server: optional(isText),
      connection: optional(isText),
      frame: optional(isNumber),
    }),
  ),
  servers: optional(listOf(objectWith({ connection: isText, server: isText, recording: isText }))),
  refused: isNumber,
  milliseconds: isNumber,
  tokens: objectWith({ input: isNumber, output: isNumber, exact: (value) => typeof value === 'boolean' }),
});

export function isAttempt(value: unknown): value is EvalAttempt {
  return attemptFields(value);
}
