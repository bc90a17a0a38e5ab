import { isObject, own } from '@/lib/json/value';
import { usageError } from '@/proxy/cli/exit-code';
import { lastValue } from '@/proxy/cli/grammar';
import { argumentAdvice, argumentNotes, promptArgumentsOf, shortArgument } from './headless/argument-notes';
import { argumentsText, readCallArguments } from './headless/call-arguments';
import { completeArgument, readCompleted } from './headless/completion';
import { NAMED_PROMPTS, SettledEntry } from './headless/named-entries';
import { type CommandAction, onServer } from './headless/on-server';
import { printResult, request, requireResult } from './headless/results';
import { blockText, indentedJson, indentJson } from './shared/format-content';

/**
 * Gets a prompt that the server lists, or completes one of its arguments. The protocol makes arguments strings; `:=`
 * and `--args` can send anything.
 */
export const run = onServer(async ({ words: [name = ''], given }) => {
  const { whole, each } = await readCallArguments(given);
  const completed = readCompleted(lastValue(given, 'complete'));
  const prompts = new SettledEntry();
  const action: CommandAction = async (server) => {
    const { entry } = server.negotiated ? await prompts.require(server, NAMED_PROMPTS, name) : {};
    const declared = promptArgumentsOf(entry);
    if (completed && entry) requireArgument(completed.name, name, declared.names);
    const named = whole ?? (each.length > 0 ? argumentsText(each) : undefined);
    if (completed) return completeArgument(server, { type: 'ref/prompt', name }, completed, named);
    const params = `{"name":${JSON.stringify(name)}${named === undefined ? '' : `,"arguments":${named}`}}`;
    if (entry) for (const note of argumentNotes(params, name, declared)) server.out.printNote('mcp-inspect', note);
    const answer = requireResult(await request(server, 'prompts/get', params));
    return printResult(answer, { method: 'prompts/get', params: undefined }, server, () => {
      const messages = isObject(answer.result) ? own(answer.result, 'messages') : undefined;
      return Array.isArray(messages) ? messages.map(messageText).join('\n\n') : indentJson(answer.text);
    });
  };
  return Object.assign(action, { connect: { onFrame: prompts.onFrame } });
});

/** Throws an ExitError for an argument that the prompt does not have. */
function requireArgument(argument: string, prompt: string, names: readonly string[]): void {
  if (names.includes(argument)) return;
  const advice = argumentAdvice(argument, names);
  throw usageError(`The prompt \`${prompt}\` has no argument \`${shortArgument(argument)}\`: ${advice}`);
}

function messageText(message: unknown): string {
  if (!isObject(message)) return indentedJson(message);
  const role = own(message, 'role');
  const content = own(message, 'content');
  const blocks = Array.isArray(content) ? content : [content];
  return `${typeof role === 'string' ? role : '?'}:\n${blocks.map(blockText).join('\n')}`;
}
