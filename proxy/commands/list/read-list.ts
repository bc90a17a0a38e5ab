import type { JsonObject } from '@/lib/json/value';
import { LISTINGS } from '@/lib/protocol/methods';
import type { ListKind } from '@/lib/store/list-changes';
import { ListedEntries } from '../headless/listed-entries';
import { type NamedList, PROMPTS, RESOURCES, TEMPLATES, TOOLS } from '../headless/named-entries';
import type { ConnectedServer } from '../headless/on-server';
import { reportInvalid, shownPages } from '../headless/results';
import type { ServerAnswer } from '../headless/server-connection';

/** The lists of the protocol. */
export const LISTS: { readonly [K in ListKind]: NamedList } = {
  tools: TOOLS,
  resources: RESOURCES,
  templates: TEMPLATES,
  prompts: PROMPTS,
};

/** Returns the name of the capability with which a server declares a list. */
export function capabilityOf(kind: ListKind): string {
  return LISTINGS.find(([method]) => method === LISTS[kind].method)![1].capability;
}

/** A list, or its pages before an error. */
interface ReadList {
  readonly entries: readonly JsonObject[];
  /** A page is invalid, which stderr says. */
  readonly isInvalid: boolean;
  /** The answer that is an error. */
  readonly refused?: ServerAnswer;
}

/** Requests all pages of a list. `onPage` gets the exact text of each. */
export async function readList(
  server: ConnectedServer,
  kind: ListKind,
  onPage: (text: string) => void = () => {},
): Promise<ReadList> {
  const { method, items } = LISTS[kind];
  const list = new ListedEntries(items);
  let isInvalid = false;
  for await (const page of shownPages(server, method)) {
    if (page.kind === 'error') return { entries: list.entries, isInvalid, refused: page };
    onPage(page.text);
    isInvalid = reportInvalid(page.result, { method, params: undefined }, server) || isInvalid;
    list.addPage(page);
  }
  const { entries, fault } = list;
  if (fault !== undefined) server.out.printNote('mcp-inspect', `${method}: ${fault}`);
  return { entries, isInvalid };
}
