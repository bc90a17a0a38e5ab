import { own, textOrJson } from '@/lib/json/value';
import { sentCapabilities } from '@/lib/mcp/declared-capabilities';
import {
  type ListChange,
  type ListedItem,
  type ListedItems,
  type ListKind,
  listChanges,
} from '@/lib/store/list-changes';
import {
  capabilityName,
  isOptional,
  matters,
  type SentCapabilities,
  switchesOf,
  withCapability,
  worthTrying,
} from '@/lib/wire/capability-switches';
import { ALL_CAPABILITIES, type ClientCapabilities } from '@/lib/wire/client-capabilities';
import { declaredBy } from '@/lib/wire/client-profile';
import { mayHaveLists } from '@/lib/wire/declares';
import { EXIT, type ExitCode, printFailure } from '@/proxy/cli/exit-code';
import { type CommandContext, lastValue } from '@/proxy/cli/grammar';
import { type CommandOutput, terminalOutput } from '@/proxy/cli/output';
import { type ClientOptions, readClientOptions } from '../headless/client-options';
import { capabilityOf, LISTS } from '../headless/named-entries';
import { type ConnectedServer, exitCodeOf, findLaunch, readServerRequest, runOn } from '../headless/on-server';
import { requestPages } from '../headless/read-pages';
import { requireResult } from '../headless/results';
import { SettledLists } from '../headless/settled-lists';

/** The changes in a server's lists without one capability. */
interface Difference {
  readonly capability: string;
  /** False if this version of MCP does not have it, so that the server can't notice. */
  readonly declared: boolean;
  readonly changes: readonly ListChange[];
}

/**
 * Connects with the capabilities of `--capabilities` (default: all) and without each of them, and prints how the lists
 * of the server differ. `onClose` gets what ends the server.
 */
export async function listByCapability(
  { request, version, home }: CommandContext,
  kinds: readonly ListKind[],
  onClose: (close: () => Promise<void>) => void,
): Promise<ExitCode> {
  try {
    const server = readServerRequest(request);
    const client: ClientOptions = (await readClientOptions(request.given)) ?? EVERYTHING;
    const given = lastValue(request.given, 'capabilities');
    const isHost = client.profile.as !== undefined;
    const all = given === undefined && !isHost ? ALL_CAPABILITIES : declaredBy(client.profile);
    const named = given === undefined || given === 'all' ? [] : switchesOf(all).filter((path) => isOptional(all, path));
    const launch = await findLaunch(server.options, home);
    const out = notingOnce(terminalOutput(server.json));
    let sent: SentCapabilities = (capabilities) => capabilities;
    let close = async (): Promise<void> => {};
    onClose(() => close());
    const listsWith = async (capabilities: ClientCapabilities): Promise<ListedItems | ExitCode> => {
      const lists: { [K in ListKind]?: readonly ListedItem[] } = {};
      const settled = new SettledLists();
      const read = async (connected: ConnectedServer): Promise<ExitCode> => {
        const { version: spoken } = connected.negotiated ?? {};
        if (spoken !== undefined) sent = (declared) => sentCapabilities(declared, spoken, client.profile.as);
        await settled.read(async () => {
          for (const kind of kinds) Object.assign(lists, await itemsOf(connected, kind));
        });
        return EXIT.fine;
      };
      const action = Object.assign(read, { connect: { onFrame: settled.onFrame, out } });
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
}

/** Most notes that are remembered. */
const MOST_NOTES = 1000;

/** Prints each note once, since a server prints the same ones in each connection. */
function notingOnce(out: CommandOutput): CommandOutput {
  const noted = new Set<string>();
  return {
    ...out,
    printNote(source, text) {
      const note = `${source} ${text}`;
      if (noted.has(note)) return;
      if (noted.size < MOST_NOTES) noted.add(note);
      out.printNote(source, text);
    },
  };
}

const EVERYTHING: ClientOptions = { profile: { capabilities: ALL_CAPABILITIES }, isExact: false, answers: new Map() };

/** Reads a list of the server; {} if the server does not have it. */
async function itemsOf(server: ConnectedServer, kind: ListKind): Promise<ListedItems> {
  if (!server.negotiated || !mayHaveLists(server.negotiated, capabilityOf(kind))) return {};
  const { entries, refused } = await requestPages(server, LISTS[kind]);
  // Servers with resources but no templates often omit that method.
  if (refused && kind === 'templates') return {};
  if (refused) requireResult(refused);
  const counts = new Map<string, number>();
  const found = entries.map((raw): ListedItem => {
    // A server can list the same name twice.
    const name = textOrJson(own(raw, LISTS[kind].key));
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return { key: count === 1 ? name : `${name}#${count}`, raw };
  });
  return { [kind]: found };
}

const SIGNS = { removed: '−', added: '+', changed: '~' } as const;

function print({ capability, declared, changes }: Difference, out: CommandOutput): void {
  out.printText(`Without ${capability}`);
  for (const { kind, key, change } of changes) {
    out.printText(`  ${SIGNS[change]} ${LISTS[kind].what} ${key}${change === 'changed' ? ' changes' : ''}`);
  }
  if (changes.length === 0) out.printText(declared ? '  nothing changes' : '  not in the version of this server');
}
