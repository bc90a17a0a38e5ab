import { LISTINGS } from '@/lib/protocol/methods';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { closest } from '../../cli/closest';
import { EXIT, type ExitCode, usage } from '../../cli/exit-code';
import { table } from '../../terminal/table';
import { fitText } from '../../terminal/text-width';
import { noteInvalid, requireResult } from '../answer';
import { errorSentence } from '../answer-texts';
import { entriesOf, pagesOf } from '../pages';
import type { Run, Subcommand } from '../subcommand';
import { KINDS, type Kind } from './list-columns';

const METHOD_NOT_FOUND = -32601;

/** Lists one kind of things, or all that the server declares. */
export const list: Subcommand = async ({ words: [word] }) => {
  const kind = word === undefined ? undefined : readKind(word);
  return async (run) => {
    if (kind !== undefined) return listKind(kind, run, false);
    const codes: ExitCode[] = [];
    for (const declared of declaredKinds(run)) codes.push(await listKind(declared, run, true));
    return codes.find((code) => code !== EXIT.fine) ?? EXIT.fine;
  };
};

const WORDS = Object.keys(KINDS) as readonly Kind[];

function readKind(word: string): Kind {
  const kind = WORDS.find((known) => known === word);
  if (kind) return kind;
  const near = closest(word, WORDS);
  throw usage(
    `There is nothing to list called \`${word}\`: ${near ? `did you mean \`${near}\`?` : `choose from ${WORDS.join(', ')}.`}`,
  );
}

/** Without a handshake nothing is declared, so everything is asked for. */
function declaredKinds({ negotiated, out }: Run): readonly Kind[] {
  if (!negotiated) return WORDS;
  const declared = WORDS.filter((kind) => isObject(own(negotiated.capabilities, listing(kind).capability)));
  if (declared.length === 0) out.note('mcp-inspect', 'The server declares no tools, resources or prompts.');
  return declared;
}

function listing(kind: Kind) {
  return LISTINGS.find(([method]) => method === KINDS[kind].method)![1];
}

/** Of a line that no terminal is to fit; `--json` has everything. */
const LINE_COLUMNS = 200;
/** A tool with many arguments must not take the room of all descriptions. */
const ARGUMENTS_COLUMNS = 48;

function bounded(heading: string, cell: string): string {
  return heading === 'ARGUMENTS' ? fitText(cell, ARGUMENTS_COLUMNS) : cell;
}

/** Prints the pages of one kind: exactly, a line each, or as one table, under a heading if it is one of `several`. */
async function listKind(kind: Kind, run: Run, several: boolean): Promise<ExitCode> {
  const { session, out } = run;
  const { method } = KINDS[kind];
  let isInvalid = false;
  const entries: JsonObject[] = [];
  for await (const page of pagesOf(session, method)) {
    // Servers that have resources but no templates often leave that method out.
    if (several && page.kind === 'error' && page.error.code === METHOD_NOT_FOUND) {
      out.note('mcp-inspect', `No ${kind}. ${errorSentence(page.error)}`);
      return EXIT.fine;
    }
    const { text, result } = requireResult(page);
    if (out.json) out.exact(text);
    isInvalid = noteInvalid(result, { method, params: undefined }, run) || isInvalid;
    entries.push(...entriesOf(page, listing(kind).items));
  }
  const code = isInvalid ? EXIT.serverError : EXIT.fine;
  if (out.json) return code;
  const { columns } = KINDS[kind];
  const rows = entries.map((entry) => columns.map(([heading, cell]) => bounded(heading, cell(entry))));
  const headings = columns.map(([heading]) => heading);
  if (several) out.say(`${kind} (${entries.length})`);
  if (entries.length > 0) out.say(table(headings, rows, out.width ?? LINE_COLUMNS));
  else if (!several && !isInvalid) out.note('mcp-inspect', `The server has no ${kind}.`);
  if (several) out.say('');
  return code;
}
