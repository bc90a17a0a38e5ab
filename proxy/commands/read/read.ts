import { isObject, type JsonObject, own } from '@/lib/json/value';
import { LIMITS } from '@/lib/wire/limits';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import { table } from '@/proxy/cli/table';
import { type ConnectedServer, onServer } from '../headless/on-server';
import { entriesOf, printResult, reportInvalid, request, requireResult } from '../headless/results';
import { indentJson, resourceText } from '../shared/format-content';
import { watchAction } from './watch-resource';

/** Reads a resource by its URI, once or on each change, or lists the children of a directory. */
export const run = onServer(async ({ words: [uri], given }) => {
  const isDirectory = given.has('directory');
  if (isDirectory && given.has('watch')) throw usageError('`--directory` and `--watch` exclude each other: give one.');
  if (given.has('watch') && given.has('timeout')) {
    throw usageError('`--timeout` does not go with `--watch`, which waits until Ctrl-C: leave one out.');
  }
  if (isDirectory) return (server) => readDirectory(uri!, server);
  const method = 'resources/read';
  const read = async (server: ConnectedServer): Promise<ExitCode> => {
    const answer = requireResult(await request(server, method, JSON.stringify({ uri })));
    return printResult(answer, { method, params: undefined }, server, () => {
      const contents = isObject(answer.result) ? own(answer.result, 'contents') : undefined;
      return Array.isArray(contents) ? contents.map(resourceText).join('\n') : indentJson(answer.text);
    });
  };
  return given.has('watch') ? watchAction(uri!, read) : read;
});

const READ_DIRECTORY = 'resources/directory/read';

/** Longest line if stdout is not a terminal. `--json` prints everything. */
const LINE_COLUMNS = 200;

/** Prints all pages of a directory: with `--json` each exactly on one line, otherwise one table. */
async function readDirectory(uri: string, server: ConnectedServer): Promise<ExitCode> {
  const { out } = server;
  const children: JsonObject[] = [];
  const seen = new Set<unknown>();
  let cursor: string | undefined;
  let isInvalid = false;
  for (let page = 0; page < LIMITS.listPages && !seen.has(cursor); page++) {
    seen.add(cursor);
    const params = JSON.stringify({ uri, cursor });
    const answer = requireResult(await request(server, READ_DIRECTORY, params));
    if (out.json) out.printExact(answer.text);
    isInvalid ||= reportInvalid(answer.result, { method: READ_DIRECTORY, params: undefined }, server);
    children.push(...entriesOf(answer, 'resources'));
    const next = isObject(answer.result) ? own(answer.result, 'nextCursor') : undefined;
    if (typeof next !== 'string') break;
    cursor = next;
  }
  if (!out.json && children.length === 0) out.printNote('mcp-inspect', 'The directory is empty.');
  else if (!out.json)
    out.printText(table(['URI', 'NAME', 'TYPE', 'SIZE'], children.map(cellsOf), out.width ?? LINE_COLUMNS));
  return isInvalid ? EXIT.serverError : EXIT.fine;
}

function cellsOf(child: JsonObject): readonly string[] {
  return ['uri', 'name', 'mimeType', 'size'].map((key) => {
    const value = own(child, key);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  });
}
