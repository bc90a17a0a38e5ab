import { FEATURES } from '@/features/features';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { LIST_KINDS, type ListKind } from '@/lib/store/list-changes';
import { mayHaveLists } from '@/lib/wire/declares';
import { suggestion } from '@/proxy/cli/closest';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, lastValue, type ParsedOptions } from '@/proxy/cli/grammar';
import { capabilityFaults } from '../headless/capability-faults';
import { capabilityOf, LISTS } from '../headless/named-entries';
import { type ConnectedServer, endWith, onServer, type ServerCommand } from '../headless/on-server';
import { memberCell, type PrintedColumn, printList } from '../headless/read-pages';
import { followNotifications } from './follow';
import { listFields } from './list-fields';
import { toolArguments } from './tool-arguments';

/** Options that make `list` do something else. They exclude each other. */
const MODES = ['follow', 'fields', 'by-capability', 'all'] as const;

/** Lists one kind of entries, or all that the server declares. */
const listServer = onServer(async ({ words: [word], given }) => {
  const kind = readKind(word);
  requireOneMode(kind, given);
  if (given.has('follow')) return followNotifications(kind);
  if (given.has('fields')) return listFields;
  if (isListKind(kind)) return (server) => listKind(kind, server, false);
  const list = await FEATURE_LISTS.find(({ name }) => name === kind)?.load();
  if (list) return (server) => list.print(server, false);
  return async (server) => {
    const codes: ExitCode[] = [];
    for (const declared of declaredKinds(server)) codes.push(await listKind(declared, server, true));
    const extensions = own(server.negotiated?.capabilities ?? {}, 'extensions');
    for (const { extension, load } of FEATURE_LISTS) {
      if (extension === undefined || !isObject(extensions) || own(extensions, extension) === undefined) continue;
      codes.push(await (await load()).print(server, true));
    }
    return codes.find((code) => code !== EXIT.fine) ?? EXIT.fine;
  };
});

/** Lists what a server has, by client capability, or with `--all` that of every server of a config. */
export const run: ServerCommand = Object.assign(
  async (context: CommandContext) => {
    const { request, status } = context;
    const { words, given } = request;
    if (given.has('by-capability')) {
      const kind = readKind(words[0]);
      requireOneMode(kind, given);
      const { listByCapability } = await import('./by-capability');
      const kinds = LIST_KINDS.filter((known) => kind === undefined || known === kind);
      return listByCapability(context, kinds, endWith);
    }
    if (!given.has('all')) return listServer(context);
    requireOneMode(readKind(words[0]), given);
    const { listAll } = await import('./list-all');
    return listAll(context, () => listServer.prepare(request, status), endWith);
  },
  { prepare: listServer.prepare },
);

/** Options about one connection. */
const ONE_CONNECTION = ['record', 'to', 'otel.export'] as const;

/** Throws an ExitError for options that exclude each other, or that do not go with the kind. */
function requireOneMode(kind: string | undefined, given: ParsedOptions): void {
  const [mode, other] = MODES.filter((name) => given.has(name));
  if (other !== undefined && !(mode === 'fields' && other === 'all')) {
    throw usageError(`\`--${mode}\` and \`--${other}\` exclude each other: give one.`);
  }
  if (mode === 'fields' && kind !== 'tools') throw usageError('`--fields` is for tools: write `list tools --fields`.');
  if (mode === 'by-capability' && kind !== undefined && !isListKind(kind)) {
    throw usageError(`\`--by-capability\` compares ${LIST_KINDS.join(', ')}: leave out \`${kind}\`.`);
  }
  const one = ONE_CONNECTION.find((name) => given.has(name));
  if ((mode === 'all' || other === 'all' || mode === 'by-capability') && one !== undefined) {
    throw usageError(`\`--${other ?? mode}\` connects several times: remove \`--${one.replace('.', ' ')}\`.`);
  }
  if (mode !== undefined && mode !== 'all' && lastValue(given, 'protocol') === 'none') {
    throw usageError(`\`--${mode}\` needs the handshake: remove \`--protocol none\`.`);
  }
}

/** Widest column of arguments. It leaves room for descriptions. */
const ARGUMENTS_COLUMNS = 48;

const NAME: PrintedColumn = ['NAME', memberCell('name')];
const TYPE: PrintedColumn = ['TYPE', memberCell('mimeType')];
const ABOUT: PrintedColumn = ['DESCRIPTION', (entry) => memberCell('description')(entry) || memberCell('title')(entry)];

/** The columns of each list of the protocol. */
const COLUMNS: { readonly [K in ListKind]: readonly PrintedColumn[] } = {
  tools: [NAME, ['ARGUMENTS', toolArguments, ARGUMENTS_COLUMNS], ABOUT],
  resources: [['URI', memberCell('uri')], NAME, TYPE, ABOUT],
  templates: [['TEMPLATE', memberCell('uriTemplate')], NAME, TYPE, ABOUT],
  prompts: [NAME, ['ARGUMENTS', promptArguments, ARGUMENTS_COLUMNS], ABOUT],
};

/** Lists of features. */
const FEATURE_LISTS = FEATURES.flatMap(({ lists = [] }) => lists);

const WORDS: readonly string[] = [...LIST_KINDS, ...FEATURE_LISTS.map(({ name }) => name)];

function isListKind(kind: string | undefined): kind is ListKind {
  return LIST_KINDS.some((known) => known === kind);
}

function promptArguments(prompt: JsonObject): string {
  const given = own(prompt, 'arguments');
  const named = Array.isArray(given) ? given.filter(isObject) : [];
  return named
    .map((argument) => `${memberCell('name')(argument)}${own(argument, 'required') === true ? '' : '?'}`)
    .join(', ');
}

/** Throws an ExitError for a word that names no list. */
function readKind(word: string | undefined): string | undefined {
  if (word === undefined || WORDS.includes(word)) return word;
  throw usageError(`Can’t list \`${word}\`: ${suggestion(word, WORDS)}`);
}

/**
 * Returns the kinds that the server declares, also with a wrong type or null. Returns all kinds without a handshake,
 * and if the capabilities are not an object.
 */
function declaredKinds({ negotiated, out }: ConnectedServer): readonly ListKind[] {
  if (!negotiated) return LIST_KINDS;
  for (const fault of capabilityFaults(negotiated)) out.printNote('mcp-inspect', fault);
  if (negotiated.invalidCapabilities !== undefined) return LIST_KINDS;
  const declared = LIST_KINDS.filter((kind) => mayHaveLists(negotiated, capabilityOf(kind)));
  if (declared.length === 0) {
    const fault = negotiated.versionFault === undefined ? '' : `${negotiated.versionFault} `;
    out.printNote('mcp-inspect', `${fault}The server declares no tools, resources or prompts.`);
  }
  return declared;
}

function listKind(kind: ListKind, server: ConnectedServer, several: boolean): Promise<ExitCode> {
  return printList(server, { ...LISTS[kind], columns: COLUMNS[kind], word: kind }, several);
}
