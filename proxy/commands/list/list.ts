import { typeWords } from '@/lib/json/type-words';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { LISTINGS } from '@/lib/protocol/methods';
import { mayHaveLists } from '@/lib/wire/declares';
import { RPC_CODE } from '@/lib/wire/protocol-names';
import { closest } from '@/proxy/cli/closest';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import { fitText, table } from '@/proxy/cli/table';
import { ListedEntries } from '../headless/listed-entries';
import { type ConnectedServer, endWith, onServer, type ServerCommand } from '../headless/on-server';
import { reportInvalid, requireResult, shownPages } from '../headless/results';
import { errorSentence } from '../headless/server-connection';
import { toolArguments } from './tool-arguments';

/** Lists one kind of items, or all that the server declares. */
const listServer = onServer(async ({ words: [word] }) => {
  const kind = word === undefined ? undefined : readKind(word);
  return async (server) => {
    if (kind !== undefined) return listKind(kind, server, false);
    const codes: ExitCode[] = [];
    for (const declared of declaredKinds(server)) codes.push(await listKind(declared, server, true));
    return codes.find((code) => code !== EXIT.fine) ?? EXIT.fine;
  };
});

/** Lists what a server has, or with `--all` every server of a config. */
export const run: ServerCommand = Object.assign(
  async (context: CommandContext) => {
    const { request, status } = context;
    if (!request.given.has('all')) return listServer(context);
    const { listAll } = await import('./list-all');
    return listAll(context, () => listServer.prepare(request, status), endWith);
  },
  { prepare: listServer.prepare },
);

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

/** Everything that can be listed. */
const LISTABLE = {
  tools: { method: 'tools/list', columns: [NAME, ['ARGUMENTS', toolArguments], ABOUT] },
  resources: { method: 'resources/list', columns: [['URI', text('uri')], NAME, TYPE, ABOUT] },
  templates: { method: 'resources/templates/list', columns: [['TEMPLATE', text('uriTemplate')], NAME, TYPE, ABOUT] },
  prompts: { method: 'prompts/list', columns: [NAME, ['ARGUMENTS', promptArguments], ABOUT] },
} as const satisfies Record<string, { method: string; columns: readonly Column[] }>;

type Kind = keyof typeof LISTABLE;

function promptArguments(prompt: JsonObject): string {
  const given = own(prompt, 'arguments');
  const named = Array.isArray(given) ? given.filter(isObject) : [];
  return named
    .map((argument) => `${text('name')(argument)}${own(argument, 'required') === true ? '' : '?'}`)
    .join(', ');
}

const WORDS = Object.keys(LISTABLE) as readonly Kind[];

function readKind(word: string): Kind {
  const kind = WORDS.find((known) => known === word);
  if (kind) return kind;
  const near = closest(word, WORDS);
  throw usageError(
    `Can’t list \`${word}\`: ${near ? `did you mean \`${near}\`?` : `choose from ${WORDS.join(', ')}.`}`,
  );
}

/**
 * Returns the kinds that the server declares, also with a wrong type or null. Returns all kinds without a handshake,
 * and if the capabilities are not an object.
 */
function declaredKinds({ negotiated, out }: ConnectedServer): readonly Kind[] {
  if (!negotiated) return WORDS;
  const { capabilities, invalidCapabilities } = negotiated;
  if (invalidCapabilities !== undefined) {
    const type = typeWords(invalidCapabilities);
    out.printNote('mcp-inspect', `\`capabilities\` is ${type}, expected an object. ${NOT_OBJECT}`);
    return WORDS;
  }
  const declared = WORDS.filter((kind) => mayHaveLists(negotiated, listing(kind).capability));
  for (const name of new Set(declared.map((kind) => listing(kind).capability))) {
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

function listing(kind: Kind) {
  return LISTINGS.find(([method]) => method === LISTABLE[kind].method)![1];
}

/** Longest line if stdout is not a terminal. `--json` prints everything. */
const LINE_COLUMNS = 200;
/** Widest column of arguments. It leaves room for descriptions. */
const ARGUMENTS_COLUMNS = 48;

function bounded(heading: string, cell: string): string {
  return heading === 'ARGUMENTS' ? fitText(cell, ARGUMENTS_COLUMNS) : cell;
}

/** Prints one kind: with `--json` each page exactly on one line, otherwise one table. `several`: with a heading. */
async function listKind(kind: Kind, server: ConnectedServer, several: boolean): Promise<ExitCode> {
  const { out } = server;
  const { method } = LISTABLE[kind];
  let isInvalid = false;
  const list = new ListedEntries(listing(kind).items);
  for await (const page of shownPages(server, method)) {
    // Servers with resources but no templates often omit that method.
    if (several && page.kind === 'error' && page.error.code === RPC_CODE.methodNotFound) {
      out.printNote('mcp-inspect', `No ${kind}. ${errorSentence(page.error)}`);
      return EXIT.fine;
    }
    const { text, result } = requireResult(page);
    if (out.json) out.printExact(text);
    isInvalid = reportInvalid(result, { method, params: undefined }, server) || isInvalid;
    list.addPage(page);
  }
  const { entries, fault } = list;
  if (fault !== undefined) out.printNote('mcp-inspect', `${method}: ${fault}`);
  const code = isInvalid ? EXIT.serverError : EXIT.fine;
  if (out.json) return code;
  const { columns } = LISTABLE[kind];
  const rows = entries.map((entry) => columns.map(([heading, cell]) => bounded(heading, cell(entry))));
  const headings = columns.map(([heading]) => heading);
  if (several) out.printText(`${kind} (${entries.length})`);
  if (entries.length > 0) out.printText(table(headings, rows, out.width ?? LINE_COLUMNS));
  else if (!several && !isInvalid) out.printNote('mcp-inspect', `The server has no ${kind}.`);
  if (several) out.printText('');
  return code;
}
