import { typeWords } from '@/lib/json/type-words';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { type AnsweredRequest, structureFaults } from '@/lib/protocol/check-message';
import type { Fault } from '@/lib/protocol/checks';
import { tableVersion } from '@/lib/protocol/rows';
import { LIMITS } from '@/lib/wire/limits';
import { EXIT, type ExitCode, ExitError } from '@/proxy/cli/exit-code';
import { jsonLine } from '../shared/format-content';
import { undeclaredFor } from './capability-faults';
import { missingCapabilityAdvice } from './missing-capability';
import type { ConnectedServer } from './on-server';
import {
  ended,
  errorSentence,
  type Following,
  type ResultAnswer,
  type ServerAnswer,
  type ServerConnection,
} from './server-connection';
import { printProgress } from './server-notes';

/**
 * Returns the result of an answer. For an error, throws an ExitError that quotes the server. `hasTaskOption`: the
 * subcommand has `--task`.
 */
export function requireResult(answer: ServerAnswer, hasTaskOption = false): ResultAnswer {
  if (answer.kind === 'result') return answer;
  throw refusal(answer, missingCapabilityAdvice(answer.error, hasTaskOption));
}

/** Makes an ExitError that quotes an error of the server. */
export function refusal(answer: ServerAnswer & { kind: 'error' }, advice: string | undefined): ExitError {
  const sentence = errorSentence(answer);
  return new ExitError(EXIT.serverError, advice === undefined ? sentence : `${ended(sentence)} ${advice}`);
}

/** Most faults reported of one result. */
const TOLD_FAULTS = 3;

/** Prints on stderr why a result is invalid in the negotiated version. False if it is valid, or without a handshake. */
export function reportInvalid(
  result: unknown,
  asked: AnsweredRequest,
  { negotiated, out }: Pick<ConnectedServer, 'negotiated' | 'out'>,
): boolean {
  if (!negotiated) return false;
  const faults = structureFaults(tableVersion(negotiated.version), asked, result);
  const said = faults.slice(0, TOLD_FAULTS).map((fault) => faultWords(fault, result));
  if (said.length > 0) out.printNote('mcp-inspect', `Invalid result in MCP ${negotiated.version}: ${said.join('; ')}.`);
  return said.length > 0;
}

function faultWords({ kind, path, expected }: Fault, result: unknown): string {
  const name = path[1];
  if (name === undefined) return `the result is ${typeWords(result)}, expected ${expected}`;
  if (kind === 'missing') return `\`${name}\` is missing`;
  return `\`${name}\` is ${typeWords(isObject(result) ? own(result, String(name)) : undefined)}, expected ${expected}`;
}

/**
 * Prints a result, exactly or as `forPeople` formats it, and returns the exit code. Invalid results, tool errors and
 * questions count as server errors.
 */
export function printResult(
  { result, text }: ResultAnswer,
  asked: AnsweredRequest,
  run: Pick<ConnectedServer, 'negotiated' | 'out'>,
  forPeople: () => string,
): ExitCode {
  const { out } = run;
  if (out.json) out.printExact(text);
  else out.printText(forPeople());
  const type = isObject(result) ? own(result, 'resultType') : undefined;
  if (type !== undefined && type !== 'complete') {
    const next = type === 'input_required' ? 'Give answers with `--answers FILE`, or send' : 'Send';
    out.printNote(
      'mcp-inspect',
      `Not a final result: its resultType is ${jsonLine(type)}. ${next} the request on the page to continue.`,
    );
    return EXIT.serverError;
  }
  if (reportInvalid(result, asked, run)) return EXIT.serverError;
  if (!isObject(result) || own(result, 'isError') !== true) return EXIT.fine;
  out.printNote('mcp-inspect', 'The tool reported an error (isError).');
  return EXIT.serverError;
}

/**
 * Sends a request, and shows that its response is awaited. Rejects as the request does. `following`: follows a task
 * that it starts.
 */
export async function request(
  { connection, negotiated, out }: Pick<ConnectedServer, 'connection' | 'negotiated' | 'out'>,
  method: string,
  params: string | undefined,
  following?: Following,
): Promise<ServerAnswer> {
  out.status.show(`Waiting for the response to ${method}… Ctrl-C cancels`);
  const answered = connection.request(method, params, printProgress(out), undefined, following);
  return withUndeclared(await answered.finally(() => out.status.end()), method, negotiated);
}

/** Adds to an error that the server does not declare what the request needs. */
function withUndeclared(answer: ServerAnswer, method: string, negotiated: ConnectedServer['negotiated']): ServerAnswer {
  if (answer.kind === 'result' || !negotiated) return answer;
  const undeclared = undeclaredFor(method, negotiated);
  return undeclared === undefined ? answer : { ...answer, undeclared };
}

/** Requests the pages of a list, and shows their number. Like {@link pagesOf}. */
export async function* shownPages(
  { connection, negotiated, out }: Pick<ConnectedServer, 'connection' | 'negotiated' | 'out'>,
  method: string,
  params?: JsonObject,
): AsyncGenerator<ServerAnswer> {
  let page = 0;
  const paged: typeof connection.request = (...asked) => {
    out.status.show(`Waiting for page ${++page} of ${method}… Ctrl-C cancels`);
    return connection.request(...asked);
  };
  try {
    for await (const page of pagesOf({ request: paged }, method, undefined, params))
      yield withUndeclared(page, method, negotiated);
  } finally {
    out.status.end();
  }
}

/**
 * Requests the pages of a list, with other `params` than the cursor if given. Stops after an error, and at a repeated
 * cursor. `signal` cancels it, which rejects.
 */
export async function* pagesOf(
  session: Pick<ServerConnection, 'request'>,
  method: string,
  signal?: AbortSignal,
  params?: JsonObject,
): AsyncGenerator<ServerAnswer> {
  const seen = new Set<string>();
  let next = params && JSON.stringify(params);
  for (let page = 0; page < LIMITS.listPages; page++) {
    const answer = await session.request(method, next, undefined, signal);
    yield answer;
    const result = answer.kind === 'result' ? answer.result : undefined;
    const cursor = isObject(result) ? own(result, 'nextCursor') : undefined;
    if (typeof cursor !== 'string' || seen.has(cursor)) return;
    seen.add(cursor);
    next = JSON.stringify({ ...params, cursor });
  }
}

/** Returns the entries of a page that are objects. */
export function listedEntries(answer: ServerAnswer, items: string): readonly JsonObject[] {
  const entries = answer.kind === 'result' && isObject(answer.result) ? own(answer.result, items) : undefined;
  return Array.isArray(entries) ? entries.filter(isObject) : [];
}
