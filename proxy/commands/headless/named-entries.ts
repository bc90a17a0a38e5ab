import { isObject, type JsonObject, own } from '@/lib/json/value';
import { LISTINGS } from '@/lib/protocol/methods';
import type { ListKind } from '@/lib/store/list-changes';
import { systemClock } from '@/lib/wire/clock';
import { countOf } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import { quotedNames } from '@/proxy/cli/choose-server';
import { closest } from '@/proxy/cli/closest';
import { EXIT, ExitError, usageError } from '@/proxy/cli/exit-code';
import type { ConnectedServer } from './on-server';
import { listedEntries, shownPages } from './results';
import { errorSentence } from './server-connection';
import { SettledLists } from './settled-lists';

/** A list whose entries have names: its method, its member, and the member with the name. */
export interface NamedList {
  /** The word for an entry. */
  readonly what: string;
  readonly method: string;
  readonly items: string;
  readonly key: string;
}

export const NAMED_TOOLS: NamedList = { what: 'tool', method: 'tools/list', items: 'tools', key: 'name' };
export const NAMED_PROMPTS: NamedList = { what: 'prompt', method: 'prompts/list', items: 'prompts', key: 'name' };
export const NAMED_RESOURCES: NamedList = {
  what: 'resource',
  method: 'resources/list',
  items: 'resources',
  key: 'uri',
};
export const NAMED_TEMPLATES: NamedList = {
  what: 'template',
  method: 'resources/templates/list',
  items: 'resourceTemplates',
  key: 'uriTemplate',
};

/** The lists of the protocol. */
export const LISTS: { readonly [K in ListKind]: NamedList } = {
  tools: NAMED_TOOLS,
  resources: NAMED_RESOURCES,
  templates: NAMED_TEMPLATES,
  prompts: NAMED_PROMPTS,
};

/** Returns the name of the capability with which a server declares a list. */
export function capabilityOf(kind: ListKind): string {
  return LISTINGS.find(([method]) => method === LISTS[kind].method)![1].capability;
}

/** An entry as the server lists it, or the names of all others. */
export interface FoundEntry {
  readonly entry?: JsonObject;
  readonly names: readonly string[];
  /** Why the list can’t be read to its end, as a sentence. Then the name may be in it. */
  readonly failure?: string;
}

/** Reads a list up to the entry with a name, or to its end. */
export async function findEntry(server: ConnectedServer, list: NamedList, name: string): Promise<FoundEntry> {
  const { method, items, key } = list;
  const names: string[] = [];
  let pages = 0;
  for await (const page of shownPages(server, method)) {
    if (page.kind === 'error') return { names, failure: errorSentence(page) };
    const { result } = page;
    if (!isObject(result) || !Array.isArray(own(result, items)))
      return { names, failure: `The result of ${method} has no list \`${items}\`.` };
    const entries = listedEntries(page, items);
    const entry = entries.find((one) => own(one, key) === name);
    if (entry) return { entry, names };
    names.push(...entries.map((one) => own(one, key)).filter((each) => typeof each === 'string'));
    pages++;
  }
  // A cursor that comes again ends the list. All its pages have been read.
  return pages < LIMITS.listPages ? { names } : { names, failure: `${method} has more than ${pages} pages.` };
}

/** Finds the entry that a command is about, also if the server adds it to its list only after the handshake. */
export class SettledEntry {
  readonly #settled = new SettledLists();

  /** Sees every frame of the connection. */
  readonly onFrame = this.#settled.onFrame;

  /** Throws an ExitError if the server does not list it. A list that can’t be read may have it. */
  async require(server: ConnectedServer, list: NamedList, name: string): Promise<FoundEntry> {
    let found: FoundEntry = { names: [] };
    await this.#settled.read(async () => {
      found = await findEntry(server, list, name);
      return found.entry !== undefined || found.failure !== undefined;
    });
    return found.entry || found.failure !== undefined ? found : requireListed(list, name, found.names);
  }
}

/** Throws an ExitError for a name that the server does not list. */
export function requireListed(list: NamedList, name: string, names: readonly string[]): never {
  const other = '`--capabilities all` may show more, and `raw` sends any request.';
  throw usageError(`${unlistedText(list, name, names)} ${other}`);
}

/** Milliseconds that a command waits for a list. Then it sends its request without knowing the entry. */
const LIST_MS = 10_000;

/** The result of a search in a list, or why the list did not come in time. */
export type InListTime<T> = Partial<T> & { readonly failure?: string; readonly isLate?: true };

/** Waits for what is found in a list, but no longer than half of the time that is left. */
export async function inListTime<T extends object>(
  found: Promise<T>,
  { connection }: Pick<ConnectedServer, 'connection'>,
  { method }: NamedList,
): Promise<InListTime<T>> {
  const waitMs = Math.min(LIST_MS, connection.leftMs / 2);
  const lateFor = (failure: string) => ({ failure, isLate: true }) as InListTime<T>;
  let callOff = (): void => {};
  const late = new Promise<InListTime<T>>((resolve) => {
    const failure = `${method} had no response within ${countOf(Math.round(waitMs / 1000), 'second')}.`;
    callOff = systemClock.after(waitMs, () => resolve(lateFor(failure)));
  });
  const listed = found.catch((error: unknown): InListTime<T> => {
    if (error instanceof ExitError && error.exitCode === EXIT.timeout) return lateFor(error.message);
    throw error;
  });
  listed.catch(() => {});
  return Promise.race([listed, late]).finally(() => callOff());
}

/** Longest name, in characters, that is compared with the one given: comparing takes quadratic time. */
const LONGEST_NAME = 100;

/** Says that the server does not list a name, and which ones it lists. */
export function unlistedText({ what }: Pick<NamedList, 'what'>, name: string, names: readonly string[]): string {
  if (names.length === 0) return `The server lists no ${what}s, so no \`${name.slice(0, LONGEST_NAME)}\`.`;
  const near = closest(
    name,
    names.filter((each) => each.length <= LONGEST_NAME),
  );
  const meant = near === undefined ? '.' : `: did you mean \`${near}\`?`;
  return `The server lists no ${what} \`${name.slice(0, LONGEST_NAME)}\`${meant} It has ${quotedNames([...new Set(names)])}.`;
}
