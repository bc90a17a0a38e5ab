import { isObject, type JsonObject, own } from '@/lib/json/value';
import { suggestion } from '@/proxy/cli/closest';
import { usageError } from '@/proxy/cli/exit-code';
import { lastValue } from '@/proxy/cli/grammar';
import { argumentsText, readCallArguments } from './headless/call-arguments';
import { complete, readCompleted } from './headless/completion';
import { PROMPTS, SettledEntry } from './headless/named-entries';
import { type Action, onServer } from './headless/on-server';
import { printResult, request, requireResult } from './headless/results';
import { blockText, indentJson, valueText } from './shared/format-content';

/**
 * Gets a prompt that the server lists, or completes one of its arguments. The protocol makes arguments strings; `:=`
 * and `--args` can send anything.
 */
export const run = onServer(async ({ words: [name = ''], given }) => {
  const { whole, each } = await readCallArguments(given);
  const completed = readCompleted(lastValue(given, 'complete'));
  const prompts = new SettledEntry();
  const action: Action = async (server) => {
    const { entry } = server.negotiated ? await prompts.require(server, PROMPTS, name) : {};
    if (completed && entry) requireArgument(completed.name, name, entry);
    const named = whole ?? (each.length > 0 ? argumentsText(each) : undefined);
    if (completed) return complete(server, { type: 'ref/prompt', name }, completed, named);
    const params = `{"name":${JSON.stringify(name)}${named === undefined ? '' : `,"arguments":${named}`}}`;
    const answer = requireResult(await request(server, 'prompts/get', params));
    return printResult(answer, { method: 'prompts/get', params: undefined }, server, () => {
      const messages = isObject(answer.result) ? own(answer.result, 'messages') : undefined;
      return Array.isArray(messages) ? messages.map(messageText).join('\n\n') : indentJson(answer.text);
    });
  };
  return Object.assign(action, { connect: { onFrame: prompts.onFrame } });
});

/** Throws an ExitError for an argument that the prompt does not have. */
function requireArgument(argument: string, prompt: string, entry: JsonObject): void {
  const listed = own(entry, 'arguments');
  const names = (Array.isArray(listed) ? listed : []).flatMap((one: unknown) => {
    const name = isObject(one) ? own(one, 'name') : undefined;
    return typeof name === 'string' ? [name] : [];
  });
  if (names.includes(argument)) return;
  const advice = names.length === 0 ? 'it has none.' : suggestion(argument, names);
  throw usageError(`The prompt \`${prompt}\` has no argument \`${argument.slice(0, 60)}\`: ${advice}`);
}

function messageText(message: unknown): string {
  if (!isObject(message)) return valueText(message);
  const role = own(message, 'role');
  const content = own(message, 'content');
  const blocks = Array.isArray(content) ? content : [content];
  return `${typeof role === 'string' ? role : '?'}:\n${blocks.map(blockText).join('\n')}`;
}
