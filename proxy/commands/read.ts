import { isObject, own } from '@/lib/json/value';
import { indentJson, resourceText } from './format-content';
import { printResult, requireResult } from './results';
import { printProgress } from './server-notes';
import type { Subcommand } from './subcommand';

/** Reads a resource by its URI. */
export const read: Subcommand =
  async ({ words: [uri] }) =>
  async (run) => {
    const method = 'resources/read';
    const { connection, out } = run;
    const answer = requireResult(await connection.request(method, JSON.stringify({ uri }), printProgress(out)));
    return printResult(answer, { method, params: undefined }, run, () => {
      const contents = isObject(answer.result) ? own(answer.result, 'contents') : undefined;
      return Array.isArray(contents) ? contents.map(resourceText).join('\n') : indentJson(answer.text);
    });
  };
