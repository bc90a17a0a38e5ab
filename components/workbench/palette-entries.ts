import { connectionLabels } from '@/components/exchange/connection-labels';
import type { IconName } from '@/components/ui/icon';
import type { navigate as Navigate } from '@/lib/hooks/location';
import type { ListEntry, LogState } from '@/lib/store/state/state';
import type { ConnectionSummary } from '@/lib/wire/command';
import { isLive, stateLabel } from './connection-state';

/** One entry of the palette. */
export interface PaletteEntry {
  readonly id: string;
  readonly group: 'Command' | 'Message' | 'Connection' | 'Panel' | 'Tool' | 'Resource' | 'Prompt';
  /** May hold untrusted text from a server. */
  readonly title: string;
  /** Its own icon, instead of that of its group. */
  readonly icon?: IconName;
  /** Other words that find it, such as the name that it had before. */
  readonly also?: string;
  /** The shortcut that does the same. */
  readonly keys?: string;
  readonly run: () => void;
}

interface PanelName {
  /** In addresses, which have the names of before. */
  readonly id: string;
  readonly title: string;
  readonly icon?: IconName;
  readonly also?: string;
  readonly key?: string;
}

/** Which panel shows which list. */
const LISTED = [
  { group: 'Tool', panel: 'tools', entries: (state: LogState) => state.tools.items },
  { group: 'Resource', panel: 'resources', entries: (state: LogState) => state.resources.items },
  { group: 'Prompt', panel: 'prompts', entries: (state: LogState) => state.prompts.items },
] as const;

/** The workbench's commands. An absent one is not offered. */
export interface PaletteCommands {
  /** Absent in a shared file, like `openRecording` and `compare`. */
  readonly add?: () => void;
  readonly openRecording?: () => void;
  /** Absent without a recordings folder. */
  readonly recordings: (() => void) | undefined;
  /** None without the proxy. */
  readonly pages: readonly { readonly title: string; readonly open: () => void }[];
  /** Absent if there is nothing to share. */
  readonly share: (() => void) | undefined;
  readonly compare?: () => void;
  readonly retry: () => void;
  readonly restart: () => void;
  readonly disconnect: () => void;
  /** Turns re-run on save on or off. Absent if there are no files to watch. */
  readonly watch?: (() => void) | undefined;
  readonly watching?: boolean;
  /** Removes the selected connection, or closes the recording. */
  readonly remove: () => void;
  readonly removeEnded: () => void;
}

/** Returns the commands that are possible now. `ended`: how many connections “Remove ended” would remove. */
export function commandEntries(
  commands: PaletteCommands,
  selected: Pick<ConnectionSummary, 'state' | 'unreachable' | 'recording'> | undefined,
  ended: number,
): PaletteEntry[] {
  const all: readonly (readonly [title: string, run: () => void, possible: boolean])[] = [
    ['Add server', () => commands.add?.(), commands.add !== undefined],
    ['Open recording…', () => commands.openRecording?.(), commands.openRecording !== undefined],
    ['Recordings', () => commands.recordings?.(), commands.recordings !== undefined],
    ...commands.pages.map(({ title, open }) => [title, open, true] as const),
    ['Share…', () => commands.share?.(), commands.share !== undefined],
    ['Compare with…', () => commands.compare?.(), commands.compare !== undefined && selected !== undefined],
    ['Retry now', commands.retry, selected?.unreachable !== undefined],
    ['Restart', commands.restart, selected !== undefined && !selected.recording],
    [commands.watching ? 'Stop watching files' : 'Watch files', () => commands.watch?.(), commands.watch !== undefined],
    ['Disconnect', commands.disconnect, selected !== undefined && isLive(selected.state)],
    [
      selected?.recording ? 'Close this recording' : 'Remove this connection',
      commands.remove,
      commands.add !== undefined && selected !== undefined && !isLive(selected.state),
    ],
    ['Remove ended connections', commands.removeEnded, ended >= 2],
  ];
  return all
    .filter(([, , possible]) => possible)
    .map(([title, run]) => ({ id: `command:${title}`, group: 'Command', title, run }));
}

/**
 * Returns entries for panels, connections, and the selected server's tools, resources and prompts. `focus` runs after
 * navigating to a panel or an item.
 */
export function paletteEntries(
  connections: readonly ConnectionSummary[],
  panels: readonly PanelName[],
  state: LogState | undefined,
  { navigate, openPanel }: { readonly navigate: typeof Navigate; readonly openPanel: (panel: string) => void },
  focus: (to: 'panel' | 'item') => void,
): PaletteEntry[] {
  const labels = connectionLabels(connections);
  const entries: PaletteEntry[] = panels.map((panel) => ({
    id: `panel:${panel.id}`,
    group: 'Panel',
    title: panel.title,
    also: panel.also ?? panel.id,
    ...(panel.icon && { icon: panel.icon }),
    ...(panel.key !== undefined && { keys: `g ${panel.key}` }),
    run: () => {
      openPanel(panel.id);
      focus('panel');
    },
  }));
  const connectionEntry = (connection: ConnectionSummary): PaletteEntry => ({
    id: `connection:${connection.id}`,
    group: 'Connection',
    title: `${labels.get(connection.id)} (${stateLabel(connection)})`,
    run: () => navigate({ connection: connection.id, item: undefined, frame: undefined }),
  });
  entries.push(...connections.filter(({ trial }) => trial === undefined).map(connectionEntry));
  // Trials are many, and seldom looked for.
  const trials = connections.filter(({ trial }) => trial !== undefined).map(connectionEntry);
  if (!state) return [...entries, ...trials];
  for (const { group, panel, entries: listed } of LISTED) {
    if (!panels.some(({ id }) => id === panel)) continue;
    for (const entry of listed(state)) {
      entries.push({
        id: `${panel}:${entry.key}`,
        group,
        title: titleOf(entry),
        run: () => {
          navigate({ panel, item: entry.key });
          focus('item');
        },
      });
    }
  }
  return [...entries, ...trials];
}

function titleOf(entry: ListEntry): string {
  return entry.name || entry.key;
}

/** Tools that stand before the commands. The others follow at the end. */
const FIRST_TOOLS = 12;

/** Puts the entries that were chosen lately first, and then tools. `recent`: their ids, newest first. */
export function inOrderOfUse(entries: readonly PaletteEntry[], recent: readonly string[]): PaletteEntry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const used = recent.flatMap((id) => byId.get(id) ?? []);
  const rest = entries.filter((entry) => !used.includes(entry));
  const tools = rest.filter(({ group }) => group === 'Tool');
  const others = rest.filter(({ group }) => group !== 'Tool');
  return [...used, ...tools.slice(0, FIRST_TOOLS), ...others, ...tools.slice(FIRST_TOOLS)];
}

/**
 * Scores how well a text matches the query; undefined if it doesn't. Every word must occur. Best to worst: a match at
 * the start of the text, at the start of a word, inside a word, letters in order with gaps.
 */
export function matchScore(typed: string, text: string): number | undefined {
  const lower = text.toLowerCase();
  let total = 0;
  for (const word of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    const score = rankWord(word, lower);
    if (score === undefined) return undefined;
    total += score;
  }
  return total;
}

function rankWord(word: string, text: string): number | undefined {
  const at = text.indexOf(word);
  if (at === 0) return 3;
  if (at > 0) return /[^\p{L}\p{N}]/u.test(text[at - 1]!) ? 2 : 1;
  let from = 0;
  for (const character of word) {
    from = text.indexOf(character, from) + 1;
    if (from === 0) return undefined;
  }
  return 0;
}

/** Returns the best `most` items, best first. Items with equal scores keep their order. */
export function bestMatches<T>(typed: string, items: readonly T[], textOf: (item: T) => string, most: number): T[] {
  return items
    .map((item) => ({ item, score: matchScore(typed, textOf(item)) }))
    .filter((entry): entry is { item: T; score: number } => entry.score !== undefined)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map((entry) => entry.item);
}
