import { isObject, type JsonObject, own } from '@/lib/json/value';
import { LIMITS } from '@/lib/wire/limits';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import { lastValue } from '@/proxy/cli/grammar';
import { LINE_COLUMNS, table } from '@/proxy/cli/table';
import { argumentsText, readCallArguments } from '../headless/call-arguments';
import { complete, readCompleted } from '../headless/completion';
import { missingCapabilityAdvice } from '../headless/missing-capability';
import { type ConnectedServer, onServer } from '../headless/on-server';
import { entriesOf, printResult, refusal, reportInvalid, request, requireResult } from '../headless/results';
import { indentJson, resourceText } from '../shared/format-content';
import { followAction } from './follow-resource';
import { readWantedSkill, verifySkill } from './read-skill';
import { unlistedUri } from './unlisted-uri';

/** Options of which only one says what to do with the URI. */
const KINDS = ['directory', 'follow', 'complete'] as const;

/** Reads a resource or a skill, follows a resource, lists a directory, or completes a variable of a template. */
export const run = onServer(async ({ words: [uri = ''], given }) => {
  const [kind, other] = KINDS.filter((name) => given.has(name));
  if (other !== undefined) throw usageError(`\`--${kind}\` and \`--${other}\` exclude each other: give one.`);
  const { whole, each } = await readCallArguments(given);
  const values = whole ?? (each.length > 0 ? argumentsText(each) : undefined);
  if (values !== undefined && kind !== 'complete') {
    throw usageError(
      '`--arg` and `--args` give the values of other variables to `--complete`: add it, or remove them.',
    );
  }
  const skill = readWantedSkill(uri);
  if (skill && kind !== undefined) throw usageError(`\`--${kind}\` needs the URI of a resource, not of a skill.`);
  if (skill) return (server) => verifySkill(skill, server);
  const completed = readCompleted(lastValue(given, 'complete'));
  if (completed) return (server) => complete(server, { type: 'ref/resource', uri }, completed, values);
  if (kind === 'directory') return (server) => readDirectory(uri, server);
  const read = (server: ConnectedServer): Promise<ExitCode> => readResource(uri, server);
  return kind === 'follow' ? followAction(uri, read) : read;
});

const READ = 'resources/read';

async function readResource(uri: string, server: ConnectedServer): Promise<ExitCode> {
  const answer = await request(server, READ, JSON.stringify({ uri }));
  if (answer.kind === 'error') {
    throw refusal(answer.error, missingCapabilityAdvice(answer.error, false) ?? (await unlistedUri(uri, server)));
  }
  const contents = isObject(answer.result) ? own(answer.result, 'contents') : undefined;
  const code = printResult(answer, { method: READ, params: undefined }, server, () =>
    Array.isArray(contents) ? contents.map(resourceText).join('\n') : indentJson(answer.text),
  );
  const isEmpty = Array.isArray(contents) && contents.length === 0;
  const unlisted = isEmpty ? await unlistedUri(uri, server) : undefined;
  if (unlisted !== undefined) server.out.printNote('mcp-inspect', unlisted);
  return code;
}

const READ_DIRECTORY = 'resources/directory/read';

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
