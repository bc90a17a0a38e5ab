import { topLevelMembers } from '@/lib/json/members';
import { isObject, own } from '@/lib/json/value';
import { closest } from '@/proxy/cli/closest';
import { argumentsText, readArguments, readInput } from './call-arguments';
import { blockText, indentJson } from './format-content';
import { entriesOf, pagesOf, printResult, requireResult } from './results';
import { errorSentence } from './server-connection';
import { printProgress } from './server-notes';
import type { Run, Subcommand } from './subcommand';

/** Calls a tool. Its schema is asked for only when arguments are to be typed by it. */
export const call: Subcommand = async ({ words: [name], args, input }) => {
  const whole = input === undefined ? undefined : await readInput(input);
  const given = readArguments(args);
  return async (run) => {
    const schema = given.some(({ json }) => !json) ? await schemaOf(name!, run) : undefined;
    const params = `{"name":${JSON.stringify(name)},"arguments":${whole ?? argumentsText(given, schema)}}`;
    const answer = requireResult(await run.connection.request('tools/call', params, printProgress(run.out)));
    const asked = { method: 'tools/call', params: undefined };
    return printResult(answer, asked, run, () => resultForPeople(answer.result, answer.text));
  };
};

/** What is compared with a longer name takes too long, and nobody mistypes one. */
const LONGEST_NAME = 100;

/** The input schema of a tool; undefined, and said so, if the server's list has none by this name. */
async function schemaOf(name: string, { connection, out }: Run): Promise<unknown> {
  const names: string[] = [];
  for await (const page of pagesOf(connection, 'tools/list')) {
    if (page.kind === 'error') {
      out.printNote(
        'mcp-inspect',
        `The arguments go out as strings, since the tools can’t be listed. ${errorSentence(page.error)}`,
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
  out.printNote('mcp-inspect', `The server lists no tool \`${name}\`${meant}; the arguments go out as strings.`);
  return undefined;
}

/** Content blocks one after another, then structured content, unless one of the blocks is that already. */
function resultForPeople(result: unknown, text: string): string {
  const blocks = isObject(result) ? own(result, 'content') : undefined;
  if (!Array.isArray(blocks)) return indentJson(text);
  const shown = blocks.map(blockText);
  const member = topLevelMembers(text).findLast(({ key }) => key === 'structuredContent');
  const structured = member && indentJson(text.slice(member.start, member.end));
  if (structured !== undefined && !shown.some((block) => indentJson(block) === structured)) shown.push(structured);
  return shown.join('\n');
}
