import { typeWords } from '@/lib/json/type-words';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { LIST_KINDS, type ListKind } from '@/lib/store/list-changes';
import { mayHaveLists } from '@/lib/wire/declares';
import { RPC_CODE } from '@/lib/wire/protocol-names';
import { closest } from '@/proxy/cli/closest';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, type GivenOptions, lastValue } from '@/proxy/cli/grammar';
import { fitText, LINE_COLUMNS, table } from '@/proxy/cli/table';
import { type ConnectedServer, endWith, onServer, type ServerCommand } from '../headless/on-server';
import { requireResult } from '../headless/results';
import { errorSentence } from '../headless/server-connection';
import { hasSkills } from '../shared/listed-skills';
import { followAction } from './follow';
import { listApps } from './list-apps';
import { listFields } from './list-fields';
import { listSkills } from './list-skills';
import { capabilityOf, readList } from './read-list';
import { toolArguments } from './tool-arguments';

/** What `list` does other than listing, of which only one goes with a command line. */
const MODES = ['follow', 'fields', 'by-capability', 'all'] as const;

/** Lists one kind of entries, or all that the server declares. */
const listServer = onServer(async ({ words: [word], given }) => {
  const kind = readKind(word);
  requireOneMode(kind, given);
  if (given.has('follow')) return followAction(kind);
  if (given.has('fields')) return listFields;
  if (kind !== undefined) return (server) => LISTERS[kind](server);
  return async (server) => {
    const codes: ExitCode[] = [];
    for (const declared of declaredKinds(server)) codes.push(await listKind(declared, server, true));
    if (hasSkills(server)) codes.push(await listSkills(server, true));
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
      return listByCapability(
        context,
        LIST_KINDS.filter((known) => kind === undefined || known === kind),
      );
    }
    if (!given.has('all')) return listServer(context);
    requireOneMode(readKind(words[0]), given);
    const { listAll } = await import('./list-all');
    return listAll(context, () => listServer.prepare(request, status), endWith);
  },
  { prepare: listServer.prepare },
);

/** Options about one connection. */
const ONE_CONNECTION = ['record', 'to', 'otlp'] as const;

/** Throws an ExitError for options that exclude each other, or that do not go with the kind. */
function requireOneMode(kind: Kind | undefined, given: GivenOptions): void {
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
    throw usageError(`\`--${other ?? mode}\` connects several times: remove \`--${one}\`.`);
  }
  if (mode !== undefined && mode !== 'all' && lastValue(given, 'protocol') === 'none') {
    throw usageError(`\`--${mode}\` needs the handshake: remove \`--protocol none\`.`);
  }
}

/** A column of a list: its heading, and the cell of an entry. */
type Column = readonly [heading: string, cell: (entry: JsonObject) => string];

const text =
  (key: string) =>
  (entry: JsonObject): string => {
    const value = own(entry, key);
    return typeof value === 'string' ? value : '';
  };

const NAME: Column = ['NAME', text('name')];
const TYPE: Column = ['TYPE', text('mimeType')];
const ABOUT: Column = ['DESCRIPTION', (entry) => text('description')(entry) || text('title')(entry)];

/** The columns of each list of the protocol. */
const COLUMNS: { readonly [K in ListKind]: readonly Column[] } = {
  tools: [NAME, ['ARGUMENTS', toolArguments], ABOUT],
  resources: [['URI', text('uri')], NAME, TYPE, ABOUT],
  templates: [['TEMPLATE', text('uriTemplate')], NAME, TYPE, ABOUT],
  prompts: [NAME, ['ARGUMENTS', promptArguments], ABOUT],
};

/** Everything that can be listed. */
const LISTERS = {
  tools: (server) => listKind('tools', server, false),
  resources: (server) => listKind('resources', server, false),
  templates: (server) => listKind('templates', server, false),
  prompts: (server) => listKind('prompts', server, false),
  skills: (server) => listSkills(server, false),
  apps: listApps,
} as const satisfies Record<string, (server: ConnectedServer) => Promise<ExitCode>>;

type Kind = keyof typeof LISTERS;

function isListKind(kind: Kind): kind is ListKind {
  return LIST_KINDS.some((known) => known === kind);
}

function promptArguments(prompt: JsonObject): string {
  const given = own(prompt, 'arguments');
  const named = Array.isArray(given) ? given.filter(isObject) : [];
  return named
    .map((argument) => `${text('name')(argument)}${own(argument, 'required') === true ? '' : '?'}`)
    .join(', ');
}

const WORDS = Object.keys(LISTERS) as readonly Kind[];

function readKind(word: string | undefined): Kind | undefined {
  const kind = WORDS.find((known) => known === word);
  if (kind || word === undefined) return kind;
  const near = closest(word, WORDS);
  throw usageError(
    `Can’t list \`${word}\`: ${near ? `did you mean \`${near}\`?` : `choose from ${WORDS.join(', ')}.`}`,
  );
}

/**
 * Returns the kinds that the server declares, also with a wrong type or null. Returns all kinds without a handshake,
 * and if the capabilities are not an object.
 */
function declaredKinds({ negotiated, out }: ConnectedServer): readonly ListKind[] {
  if (!negotiated) return LIST_KINDS;
  const { capabilities, invalidCapabilities } = negotiated;
  if (invalidCapabilities !== undefined) {
    const type = typeWords(invalidCapabilities);
    out.printNote('mcp-inspect', `\`capabilities\` is ${type}, expected an object. ${NOT_OBJECT}`);
    return LIST_KINDS;
  }
  const declared = LIST_KINDS.filter((kind) => mayHaveLists(negotiated, capabilityOf(kind)));
  for (const name of new Set(declared.map((kind) => capabilityOf(kind)))) {
    const value = own(capabilities, name);
    if (!isObject(value))
      out.printNote(
        'mcp-inspect',
        `The capability \`${name}\` is ${typeWords(value)}, expected an object. ${NOT_OBJECT}`,
      );
  }
  if (declared.length === 0) {
    const fault = negotiated.versionFault === undefined ? '' : `${negotiated.versionFault} `;
    out.printNote('mcp-inspect', `${fault}The server declares no tools, resources or prompts.`);
  }
  return declared;
}

const NOT_OBJECT = 'Some clients then read no list.';

/** Widest column of arguments. It leaves room for descriptions. */
const ARGUMENTS_COLUMNS = 48;

function bounded(heading: string, cell: string): string {
  return heading === 'ARGUMENTS' ? fitText(cell, ARGUMENTS_COLUMNS) : cell;
}

/** Prints one kind: with `--json` each page exactly on one line, otherwise one table. `several`: with a heading. */
async function listKind(kind: ListKind, server: ConnectedServer, several: boolean): Promise<ExitCode> {
  const { out } = server;
  const { entries, isInvalid, refused } = await readList(server, kind, (text) => out.json && out.printExact(text));
  if (refused) {
    // Servers with resources but no templates often omit that method.
    const isMissing = refused.kind === 'error' && refused.error.code === RPC_CODE.methodNotFound;
    if (!several || !isMissing) requireResult(refused);
    else out.printNote('mcp-inspect', `No ${kind}. ${errorSentence(refused.error)}`);
    return EXIT.fine;
  }
  const code = isInvalid ? EXIT.serverError : EXIT.fine;
  if (out.json) return code;
  const columns = COLUMNS[kind];
  const rows = entries.map((entry) => columns.map(([heading, cell]) => bounded(heading, cell(entry))));
  const headings = columns.map(([heading]) => heading);
  if (several) out.printText(`${kind} (${entries.length})`);
  if (entries.length > 0) out.printText(table(headings, rows, out.width ?? LINE_COLUMNS));
  else if (!several && !isInvalid) out.printNote('mcp-inspect', `The server has no ${kind}.`);
  if (several) out.printText('');
  return code;
}
