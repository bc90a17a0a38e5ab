import { own, plainText } from '@/lib/json/value';
import { capabilitiesFor } from '@/lib/mcp/declared-capabilities';
import { LISTINGS } from '@/lib/protocol/methods';
import {
  LIST_KINDS,
  type ListChange,
  type ListedItem,
  type ListKind,
  listChanges,
  type ServerLists,
} from '@/lib/store/list-changes';
import {
  type CapabilityPath,
  capabilityName,
  isDeclared,
  matters,
  type SentCapabilities,
  switchesOf,
  withCapability,
  worthTrying,
} from '@/lib/wire/capability-switches';
import { ALL_CAPABILITIES, type ClientCapabilities } from '@/lib/wire/client-capabilities';
import { declaredBy } from '@/lib/wire/client-profile';
import { mayHaveLists } from '@/lib/wire/declares';
import { closest } from '@/proxy/cli/closest';
import { EXIT, type ExitCode, printFailure, usageError } from '@/proxy/cli/exit-code';
import { lastValue, type RunCommand } from '@/proxy/cli/grammar';
import { type Output, terminalOutput } from '@/proxy/cli/output';
import { type ClientOptions, readClientOptions } from './headless/client-options';
import { ListedEntries } from './headless/listed-entries';
import { type ConnectedServer, endWith, exitCodeOf, findLaunch, readServerRequest, runOn } from './headless/on-server';
import { requireResult, shownPages } from './headless/results';
import { SettledLists } from './headless/settled-lists';

/** The changes in a server's lists without one capability. */
interface Difference {
  readonly capability: string;
  /** False if this version of MCP does not have it, so that the server can't notice. */
  readonly declared: boolean;
  readonly changes: readonly ListChange[];
}

/** Connects with all capabilities and without each of some, and prints how the lists of the server differ. */
export const run: RunCommand = async ({ request, version, home }) => {
  try {
    const server = readServerRequest(request);
    const client: ClientOptions = (await readClientOptions(request.given)) ?? EVERYTHING;
    const all = lastValue(request.given, 'capabilities') === undefined ? ALL_CAPABILITIES : declaredBy(client.profile);
    const named = request.words.map((word) => readName(word, all));
    const launch = await findLaunch(server.options, home);
    const out = terminalOutput(server.json);
    let sent: SentCapabilities = (capabilities) => capabilities;
    let close = async (): Promise<void> => {};
    endWith(() => close());
    const listsWith = async (capabilities: ClientCapabilities): Promise<ServerLists | ExitCode> => {
      const lists: { [K in ListKind]?: readonly ListedItem[] } = {};
      const settled = new SettledLists();
      const read = async (connected: ConnectedServer): Promise<ExitCode> => {
        const { version: spoken } = connected.negotiated ?? {};
        if (spoken !== undefined) sent = (declared) => capabilitiesFor(declared, spoken);
        await settled.read(async () => {
          for (const kind of LIST_KINDS) Object.assign(lists, await readList(connected, kind));
        });
        return EXIT.fine;
      };
      const action = Object.assign(read, { connect: { onFrame: settled.onFrame } });
      const profile = { ...client.profile, capabilities };
      const code = await runOn(launch, action, { ...server, client: { ...client, profile } }, version, (end) => {
        close = end;
      });
      return code === EXIT.fine ? lists : code;
    };
    const whole = await listsWith(all);
    if (typeof whole === 'number') return whole;
    const differences: Difference[] = [];
    const add = (difference: Difference) => {
      differences.push(difference);
      if (!out.json) print(difference, out);
    };
    const paths = named.length > 0 ? named : worthTrying(all, sent);
    for (const [index, path] of paths.entries()) {
      if (!matters(all, path, sent)) {
        add({ capability: capabilityName(path), declared: false, changes: [] });
        continue;
      }
      out.status.show(`Connecting without ${capabilityName(path)} (${index + 1} of ${paths.length})… Ctrl-C cancels`);
      const without = await listsWith(withCapability(all, path, false));
      if (typeof without === 'number') return without;
      add({ capability: capabilityName(path), declared: true, changes: listChanges(whole, without) });
    }
    if (out.json) out.printExact(JSON.stringify({ differences }));
    return EXIT.fine;
  } catch (error) {
    return printFailure(error, exitCodeOf);
  }
};

const EVERYTHING: ClientOptions = { profile: { capabilities: ALL_CAPABILITIES }, isExact: false, answers: new Map() };

function readName(word: string, all: ClientCapabilities): CapabilityPath {
  const declared = switchesOf(all).filter((path) => isDeclared(all, path));
  const found = declared.find((path) => capabilityName(path) === word);
  if (found) return found;
  const names = declared.map(capabilityName);
  const near = closest(word, names);
  throw usageError(
    `The client declares no capability \`${word.slice(0, 100)}\`: ${near ? `did you mean \`${near}\`?` : `choose from ${names.join(', ')}.`}`,
  );
}

/** Method and member of each list. */
const LISTS: { readonly [K in ListKind]: { readonly method: string; readonly key: string; readonly one: string } } = {
  tools: { method: 'tools/list', key: 'name', one: 'tool' },
  resources: { method: 'resources/list', key: 'uri', one: 'resource' },
  templates: { method: 'resources/templates/list', key: 'uriTemplate', one: 'template' },
  prompts: { method: 'prompts/list', key: 'name', one: 'prompt' },
};

/** Reads a list of the server; {} if the server does not have it. */
async function readList(server: ConnectedServer, kind: ListKind): Promise<ServerLists> {
  const { method, key } = LISTS[kind];
  const { capability, items } = LISTINGS.find(([listed]) => listed === method)![1];
  if (!server.negotiated || !mayHaveLists(server.negotiated, capability)) return {};
  const found: ListedItem[] = [];
  const counts = new Map<string, number>();
  const list = new ListedEntries(items);
  for await (const page of shownPages(server, method)) {
    // Servers with resources but no templates often omit that method.
    if (kind === 'templates' && page.kind === 'error') return {};
    requireResult(page);
    for (const raw of list.addPage(page)) {
      // A server can list the same name twice.
      const name = plainText(own(raw, key));
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      found.push({ key: count === 1 ? name : `${name}#${count}`, raw });
    }
  }
  return { [kind]: found };
}

const SIGNS = { removed: '−', added: '+', changed: '~' } as const;

function print({ capability, declared, changes }: Difference, out: Output): void {
  out.printText(`Without ${capability}`);
  for (const { kind, key, change } of changes) {
    out.printText(`  ${SIGNS[change]} ${LISTS[kind].one} ${key}${change === 'changed' ? ' changes' : ''}`);
  }
  if (changes.length === 0) out.printText(declared ? '  nothing changes' : '  not in the version of this server');
}
