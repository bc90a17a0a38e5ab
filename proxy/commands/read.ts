import { isObject, own } from '@/lib/json/value';
import { indentJson, resourceText } from './format-content';
import { onServer } from './on-server';
import { printResult, request, requireResult } from './results';

/** Reads a resource by its URI. */
export const run = onServer(async ({ words: [uri] }) => {
  const method = 'resources/read';
  return async (server) => {
    const answer = requireResult(await request(server, method, JSON.stringify({ uri })));
    return printResult(answer, { method, params: undefined }, server, () => {
      const contents = isObject(answer.result) ? own(answer.result, 'contents') : undefined;
      return Array.isArray(contents) ? contents.map(resourceText).join('\n') : indentJson(answer.text);
    });
  };
});
