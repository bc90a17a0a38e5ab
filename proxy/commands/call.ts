import { topLevelMembers } from '@/lib/json/members';
import { isObject, own } from '@/lib/json/value';
import { closest } from '@/proxy/cli/closest';
import { argumentsText, readCallArguments } from './call-arguments';
import { blockText, indentJson } from './format-content';
import { type ConnectedServer, onServer } from './on-server';
import { entriesOf, printResult, request, requireResult, shownPages } from './results';
import { errorSentence } from './server-connection';

/** Calls a tool. Requests its schema only if the type of an argument depends on it. */
export const run = onServer(async ({ words: [name], given }) => {
  const { whole, each } = await readCallArguments(given);
  return async (server) => {
    const schema = each.some(({ json }) => !json) ? await schemaOf(name!, server) : undefined;
    const params = `{"name":${JSON.stringify(name)},"arguments":${whole ?? argumentsText(each, schema)}}`;
    const answer = requireResult(await request(server, 'tools/call', params));
    const asked = { method: 'tools/call', params: undefined };
    return printResult(answer, asked, server, () => resultForPeople(answer.result, answer.text));
  };
});

/** Longest name, in characters, that is compared with the one given: comparing takes quadratic time. */
const LONGEST_NAME = 100;

/** Finds the input schema of a tool; undefined, with a note, if the server does not list the tool. */
async function schemaOf(name: string, server: ConnectedServer): Promise<unknown> {
  const { out } = server;
  const names: string[] = [];
  for await (const page of shownPages(server, 'tools/list')) {
    if (page.kind === 'error') {
      out.printNote(
        'mcp-inspect',
        `Sending the arguments as strings, since the tools can’t be listed. ${errorSentence(page.error)}`,
      );
      return undefined;
    }
    const tools = entriesOf(page, 'tools');
    const tool = tools.find((entry) => entry.name === name);
    if (tool) return own(tool, 'inputSchema');
    names.push(...tools.map((entry) => entry.name).filter((each) => typeof each === 'string'));
  }
  const near = closest(
    name,
    names.filter((each) => each.length <= LONGEST_NAME),
  );
  const meant = near === undefined ? '' : ` (did you mean \`${near}\`?)`;
  out.printNote('mcp-inspect', `The server lists no tool \`${name}\`${meant}. Sending the arguments as strings.`);
  return undefined;
}

/** Content blocks one after another, then structured content unless a block repeats it. */
function resultForPeople(result: unknown, text: string): string {
  const blocks = isObject(result) ? own(result, 'content') : undefined;
  if (!Array.isArray(blocks)) return indentJson(text);
  const shown = blocks.map(blockText);
  const member = topLevelMembers(text).findLast(({ key }) => key === 'structuredContent');
  const structured = member && indentJson(text.slice(member.start, member.end));
  if (structured !== undefined && !shown.some((block) => indentJson(block) === structured)) shown.push(structured);
  return shown.join('\n');
}
