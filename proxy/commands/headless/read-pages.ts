import { type JsonObject, own } from '@/lib/json/value';
import { RPC_CODE } from '@/lib/wire/protocol-names';
import { EXIT, type ExitCode } from '@/proxy/cli/exit-code';
import { fitText, LINE_COLUMNS, table } from '@/proxy/cli/table';
import { ListedEntries } from './listed-entries';
import type { ConnectedServer } from './on-server';
import { reportInvalid, requireResult, shownPages } from './results';
import { errorSentence, type ServerAnswer } from './server-connection';

/** The entries of a list, or of its pages before an error. */
interface ReadPages {
  readonly entries: readonly JsonObject[];
  /** A page is invalid, which stderr says. */
  readonly isInvalid: boolean;
  /** The answer that is an error. */
  readonly refused?: ServerAnswer;
}

/** Requests all pages of a list, and says on stderr what is wrong with them. `onPage` gets the exact text of each. */
export async function requestPages(
  server: ConnectedServer,
  { method, items, params }: { readonly method: string; readonly items: string; readonly params?: JsonObject },
  onPage: (text: string) => void = () => {},
): Promise<ReadPages> {
  const list = new ListedEntries(items);
  let isInvalid = false;
  for await (const page of shownPages(server, method, params)) {
    if (page.kind === 'error') return { entries: list.entries, isInvalid, refused: page };
    onPage(page.text);
    isInvalid = reportInvalid(page.result, { method, params: undefined }, server) || isInvalid;
    list.addPage(page);
  }
  const { entries, fault } = list;
  if (fault !== undefined) server.out.printNote('mcp-inspect', `${method}: ${fault}`);
  return { entries, isInvalid };
}

/** A column of a list: its heading, the cell of an entry, and the most columns of the terminal that it takes. */
export type PrintedColumn = readonly [heading: string, cell: (entry: JsonObject) => string, most?: number];

/** Returns the cell for a member of a type; empty for one of another. */
export function memberCell(key: string, type: 'string' | 'number' = 'string'): (entry: JsonObject) => string {
  return (entry) => {
    const value = own(entry, key);
    return typeof value === type ? String(value) : '';
  };
}

/** A list as people see it. */
interface ShownList {
  readonly method: string;
  readonly items: string;
  readonly params?: JsonObject;
  readonly columns: readonly PrintedColumn[];
  /** The word for its entries. */
  readonly word: string;
}

/**
 * Prints a list: with `--json` each page exactly on one line, otherwise one table. `several`: with a heading, and a
 * method that the server does not have is only a note.
 */
export async function printList(server: ConnectedServer, list: ShownList, several = false): Promise<ExitCode> {
  const { out } = server;
  const { columns, word } = list;
  const { entries, isInvalid, refused } = await requestPages(server, list, (text) => out.json && out.printExact(text));
  if (refused?.kind === 'error') {
    // Servers with resources but no templates often omit that method.
    if (!several || refused.error.code !== RPC_CODE.methodNotFound) requireResult(refused);
    out.printNote('mcp-inspect', `No ${word}. ${errorSentence(refused)}`);
    return EXIT.fine;
  }
  const code = isInvalid ? EXIT.serverError : EXIT.fine;
  if (out.json) return code;
  const rows = entries.map((entry) =>
    columns.map(([, cell, most]) => (most === undefined ? cell(entry) : fitText(cell(entry), most))),
  );
  const headings = columns.map(([heading]) => heading);
  if (several) out.printText(`${word} (${entries.length})`);
  if (rows.length > 0) out.printText(table(headings, rows, out.width ?? LINE_COLUMNS));
  else if (!several && !isInvalid) out.printNote('mcp-inspect', `The server has no ${word}.`);
  if (several) out.printText('');
  return code;
}
