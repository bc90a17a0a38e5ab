import { isObject, own } from '@/lib/json/value';
import { argumentsText, readArguments, readInput } from './call-arguments';
import { blockText, indentJson, valueText } from './format-content';
import { printResult, requireResult } from './results';
import { printProgress } from './server-notes';
import type { Subcommand } from './subcommand';

/** Gets a prompt. Its arguments are strings by the protocol; `:=` and `--args` send something else. */
export const prompt: Subcommand = async ({ words: [name], args, input }) => {
  const whole = input === undefined ? undefined : await readInput(input);
  const given = readArguments(args);
  return async (run) => {
    const { connection, out } = run;
    const named = whole ?? (given.length > 0 ? argumentsText(given) : undefined);
    const params = `{"name":${JSON.stringify(name)}${named === undefined ? '' : `,"arguments":${named}`}}`;
    const answer = requireResult(await connection.request('prompts/get', params, printProgress(out)));
    return printResult(answer, { method: 'prompts/get', params: undefined }, run, () => {
      const messages = isObject(answer.result) ? own(answer.result, 'messages') : undefined;
      return Array.isArray(messages) ? messages.map(messageText).join('\n\n') : indentJson(answer.text);
    });
  };
};

function messageText(message: unknown): string {
  if (!isObject(message)) return valueText(message);
  const role = own(message, 'role');
  const content = own(message, 'content');
  const blocks = Array.isArray(content) ? content : [content];
  return `${typeof role === 'string' ? role : '?'}:\n${blocks.map(blockText).join('\n')}`;
}
