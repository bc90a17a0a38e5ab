import { isObject, own } from '@/lib/json/value';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import { indentJson } from '../shared/format-content';
import type { ConnectedServer } from './on-server';
import { printResult, request, requireResult } from './results';

const METHOD = 'completion/complete';

/** A prompt or a template, as the protocol refers to it. */
export type CompletedRef =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string };

/** An argument or a variable, and the beginning of its value. */
export interface Completed {
  readonly name: string;
  readonly value: string;
}

/** Reads `--complete NAME=PREFIX`; undefined without it. Throws an ExitError. */
export function readCompleted(text: string | undefined): Completed | undefined {
  if (text === undefined) return undefined;
  const equals = text.indexOf('=');
  if (equals > 0) return { name: text.slice(0, equals), value: text.slice(equals + 1) };
  throw usageError(`\`--complete ${text.slice(0, 60)}\` names no value: write \`--complete NAME=PREFIX\`.`);
}

/** Asks the server to complete a value. `others`: JSON with the values of other arguments. */
export async function completeArgument(
  server: ConnectedServer,
  ref: CompletedRef,
  argument: Completed,
  others: string | undefined,
): Promise<ExitCode> {
  const context = others === undefined ? '' : `,"context":{"arguments":${others}}`;
  const params = `{"ref":${JSON.stringify(ref)},"argument":${JSON.stringify(argument)}${context}}`;
  const answer = requireResult(await request(server, METHOD, params));
  const completion = isObject(answer.result) ? own(answer.result, 'completion') : undefined;
  const values = isObject(completion) ? own(completion, 'values') : undefined;
  if (!server.out.json && Array.isArray(values) && values.length === 0) {
    server.out.printNote('mcp-inspect', 'The server has no completions for this value.');
    return EXIT.fine;
  }
  const code = printResult(answer, { method: METHOD, params: undefined }, server, () =>
    Array.isArray(values) ? values.map(String).join('\n') : indentJson(answer.text),
  );
  if (isObject(completion) && Array.isArray(values)) {
    const note = moreNote(values.length, own(completion, 'total'), own(completion, 'hasMore'));
    if (note !== undefined) server.out.printNote('mcp-inspect', note);
  }
  return code;
}

/** Says that the server has more values than it sent. */
function moreNote(count: number, total: unknown, hasMore: unknown): string | undefined {
  if (typeof total === 'number' && total > count) return `The server has ${total} completions and sent ${count}.`;
  return hasMore === true ? 'The server has more completions than it sent.' : undefined;
}
