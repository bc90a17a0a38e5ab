import { FEATURES } from '@/features/features';
import { isObject, own } from '@/lib/json/value';
import type { Frame } from '@/lib/wire/frame';
import { type ExitCode, usageError } from '@/proxy/cli/exit-code';
import { lastValue } from '@/proxy/cli/grammar';
import { argumentsText, readCallArguments } from '../headless/call-arguments';
import { completeArgument, readCompleted } from '../headless/completion';
import { missingCapabilityAdvice } from '../headless/missing-capability';
import { type CommandAction, type ConnectedServer, onServer } from '../headless/on-server';
import { memberCell, printList } from '../headless/read-pages';
import { printResult, refusal, request } from '../headless/results';
import { indentJson, resourceText } from '../shared/format-content';
import { followAction } from './follow-resource';
import { KnownUri } from './known-uri';

/** Options that make `read` do something else. They exclude each other. */
const KINDS = ['follow', 'complete'] as const;

/** A directory of skills, whose children are listed. */
const A_DIRECTORY = /^directory:(.+)$/s;

const DIRECTORY = {
  method: 'resources/directory/read',
  items: 'resources',
  columns: [
    ['URI', memberCell('uri')],
    ['NAME', memberCell('name')],
    ['TYPE', memberCell('mimeType')],
    ['SIZE', memberCell('size', 'number')],
  ],
  word: 'entries in this directory',
} as const;

const READS = FEATURES.flatMap(({ reads = [] }) => reads);

/**
 * Reads a resource or what a feature reads, follows a resource, lists a directory, or completes a variable of a
 * template.
 */
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
  const ofFeature = READS.find(({ names }) => names(uri));
  const directory = A_DIRECTORY.exec(uri)?.[1];
  if ((ofFeature ?? directory) && kind !== undefined)
    throw usageError(`\`--${kind}\` needs the URI of a resource: \`${uri}\` is none.`);
  if (ofFeature) return (await ofFeature.load()).read(uri);
  const completed = readCompleted(lastValue(given, 'complete'));
  if (directory !== undefined) return (server) => printList(server, { ...DIRECTORY, params: { uri: directory } });
  const known = new KnownUri();
  let unlisted: string | undefined;
  const read = (server: ConnectedServer): Promise<ExitCode> => readResource(uri, server, unlisted);
  const wanted: CommandAction = completed
    ? (server) => completeArgument(server, { type: 'ref/resource', uri }, completed, values)
    : kind === 'follow'
      ? followAction(uri, read)
      : read;
  const action: CommandAction = async (server) => {
    unlisted = await known.require(server, uri);
    return wanted(server);
  };
  const onFrame = (frame: Frame): void => {
    known.onFrame(frame);
    wanted.connect?.onFrame?.(frame);
  };
  return Object.assign(action, { connect: { ...wanted.connect, onFrame } });
});

const READ = 'resources/read';

/** `unlisted`: says why the server may not have it. */
async function readResource(uri: string, server: ConnectedServer, unlisted: string | undefined): Promise<ExitCode> {
  const answer = await request(server, READ, JSON.stringify({ uri }));
  if (answer.kind === 'error') {
    throw refusal(answer, missingCapabilityAdvice(answer.error, false) ?? unlisted);
  }
  const contents = isObject(answer.result) ? own(answer.result, 'contents') : undefined;
  const code = printResult(answer, { method: READ, params: undefined }, server, () =>
    Array.isArray(contents) ? contents.map(resourceText).join('\n') : indentJson(answer.text),
  );
  const isEmpty = Array.isArray(contents) && contents.length === 0;
  if (isEmpty && unlisted !== undefined) server.out.printNote('mcp-inspect', unlisted);
  return code;
}
