import { isObject, own } from '@/lib/json/value';
import { EXIT } from '@/proxy/cli/exit-code';
import { argumentsText, readCallArguments } from './headless/call-arguments';
import { onServer } from './headless/on-server';
import { printResult, request, requireResult } from './headless/results';
import { indentJson } from './shared/format-content';

const METHOD = 'completion/complete';

/** Asks a server to complete an argument of a prompt, or a variable of a resource template. */
export const run = onServer(async ({ words: [of, name, value = ''], given }) => {
  const { whole, each } = await readCallArguments(given);
  const context = whole ?? (each.length > 0 ? argumentsText(each) : undefined);
  const ref = isTemplate(of!) ? { type: 'ref/resource', uri: of } : { type: 'ref/prompt', name: of };
  const argument = JSON.stringify({ name, value });
  const rest = context === undefined ? '' : `,"context":{"arguments":${context}}`;
  return async (server) => {
    const params = `{"ref":${JSON.stringify(ref)},"argument":${argument}${rest}}`;
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
  };
});

/** Templates are URIs, often with variables in braces. Prompts have names. */
function isTemplate(word: string): boolean {
  return /^[a-z][\w+.-]*:\/\/|\{/i.test(word);
}

/** Says that the server has more values than it sent. */
function moreNote(count: number, total: unknown, hasMore: unknown): string | undefined {
  if (typeof total === 'number' && total > count) return `The server has ${total} completions and sent ${count}.`;
  return hasMore === true ? 'The server has more completions than it sent.' : undefined;
}
