// Checks of what the page sends about evals, and of the lines that keep one.
import {
  anyOf,
  type Check,
  isNumber,
  isText,
  isTextList,
  isTrue,
  listOf,
  objectWith,
  oneOf,
  optional,
} from '@/lib/json/value';
import type { Attempt } from './attempt';
import type { EvalHead } from './evals-api';

/** Checks an `EvalSetup`. */
export const isEvalSetup: Check = objectWith({
  name: isText,
  text: isText,
  models: optional(isTextList),
  repeats: optional((value) => Number.isSafeInteger(value) && (value as number) > 0),
  allow: objectWith({ mode: oneOf('ask', 'read-only', 'all'), written: optional(isTextList) }),
});

const isCommandSetup: Check = objectWith({
  cwd: isText,
  files: isTextList,
  options: listOf((pair) => Array.isArray(pair) && isText(pair[0]) && isTextList(pair[1])),
});

const headFields: Check = objectWith({
  id: isText,
  at: isText,
  title: isText,
  cases: isNumber,
  models: isTextList,
  planned: isNumber,
  from: anyOf(objectWith({ page: isEvalSetup }), objectWith({ command: isCommandSetup })),
  isMasked: optional(isTrue),
});

export function isEvalHead(value: unknown): value is EvalHead {
  return headFields(value);
}

const attemptFields: Check = objectWith({
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

export function isAttempt(value: unknown): value is Attempt {
  return attemptFields(value);
}
