import { isObject, own } from '@/lib/json/value';
import { type ExitCode, usageError } from '@/proxy/cli/exit-code';
import { lastValue } from '@/proxy/cli/grammar';
import { argumentsText, readCallArguments } from '../headless/call-arguments';
import { complete, readCompleted } from '../headless/completion';
import { missingCapabilityAdvice } from '../headless/missing-capability';
import { type ConnectedServer, onServer } from '../headless/on-server';
import { cellOf, printList } from '../headless/read-pages';
import { printResult, refusal, request } from '../headless/results';
import { indentJson, resourceText } from '../shared/format-content';
import { followAction } from './follow-resource';
import { readWantedSkill, verifySkill } from './read-skill';
import { unlistedUri } from './unlisted-uri';

/** Options that make `read` do something else. They exclude each other. */
const KINDS = ['follow', 'complete'] as const;

/** A directory of skills, whose children are listed. */
const A_DIRECTORY = /^directory:(.+)$/s;

const DIRECTORY = {
  method: 'resources/directory/read',
  items: 'resources',
  columns: [
    ['URI', cellOf('uri')],
    ['NAME', cellOf('name')],
    ['TYPE', cellOf('mimeType')],
    ['SIZE', cellOf('size', 'number')],
  ],
  word: 'entries in this directory',
} as const;

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
  const directory = A_DIRECTORY.exec(uri)?.[1];
  if ((skill ?? directory) && kind !== undefined)
    throw usageError(`\`--${kind}\` needs the URI of a resource: \`${uri}\` is none.`);
  if (skill) return (server) => verifySkill(skill, server);
  const completed = readCompleted(lastValue(given, 'complete'));
  if (completed) return (server) => complete(server, { type: 'ref/resource', uri }, completed, values);
  if (directory !== undefined) return (server) => printList(server, { ...DIRECTORY, params: { uri: directory } });
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
