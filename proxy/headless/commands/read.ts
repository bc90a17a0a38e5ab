import { isObject, own } from '@/lib/wire/message';
import { printResult, requireResult } from '../answer';
import { resourceText } from '../content';
import { indentJson } from '../indent-json';
import { noteProgress } from '../notes';
import type { Subcommand } from '../subcommand';

/** Reads a resource by its URI. */
export const read: Subcommand =
  async ({ words: [uri] }) =>
  async (run) => {
    const method = 'resources/read';
    const { session, out } = run;
    const answer = requireResult(await session.request(method, JSON.stringify({ uri }), noteProgress(out)));
    return printResult(answer, { method, params: undefined }, run, () => {
      const contents = isObject(answer.result) ? own(answer.result, 'contents') : undefined;
      return Array.isArray(contents) ? contents.map(resourceText).join('\n') : indentJson(answer.text);
    });
  };
