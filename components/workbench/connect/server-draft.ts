import { join } from 'shlex';
import type { StartEvent } from '@/lib/store/state';
import type { ConfiguredServer } from '@/lib/wire/api';
import type { Target } from '@/lib/wire/command';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import { type PastedServer, type PastedTargets, parseTarget } from '@/lib/wire/target-text';

/** One variable that the server gets besides the inherited ones. */
export interface EnvironmentRow {
  /** Stable while the row is edited. */
  readonly id: number;
  readonly name: string;
  readonly value: string;
  /** Where the row is from: read in the text, of a configured server (the proxy has its value), or added by hand. */
  readonly origin: 'text' | 'config' | 'hand';
}

/** A server about to be added: what was typed, and what was changed about it since. */
export interface ServerDraft {
  readonly text: string;
  /** Of the configured server or connection being edited; the text may give another. */
  readonly name?: string;
  /** Which of the servers in a pasted config. */
  readonly chosen: number;
  readonly cwd: string;
  readonly environment: readonly EnvironmentRow[];
  readonly protocol: ProtocolChoice;
  /** id of the configured server whose values the proxy fills in. */
  readonly base?: string;
  /** Names of `base` that were taken away. */
  readonly removed: readonly string[];
  readonly nextId: number;
}

/** Nothing typed yet. */
export const EMPTY_DRAFT: ServerDraft = {
  text: '',
  chosen: 0,
  cwd: '',
  environment: [],
  protocol: 'auto',
  removed: [],
  nextId: 1,
};

/** What a draft's text means, and which server of it is chosen. */
export function readDraft(draft: ServerDraft): { readonly parsed: PastedTargets; readonly server?: PastedServer } {
  const parsed = parseTarget(draft.text);
  return { parsed, server: parsed.targets[draft.chosen] ?? parsed.targets[0] };
}

/** The draft after its text (or the choice in it) changed: what the text says counts, what was added by hand stays. */
export function withText(before: ServerDraft, text: string, chosen = 0): ServerDraft {
  // Emptying the box is a new start: a configured server's values must not go to whatever is typed next.
  const draft = text.trim() === '' ? { ...EMPTY_DRAFT, nextId: before.nextId } : before;
  const { server } = readDraft({ ...draft, text, chosen });
  const stdio = server?.target.transport === 'stdio' ? server.target : undefined;
  const read = Object.entries(stdio?.env ?? {}).filter((entry): entry is [string, string] => entry[1] !== null);
  let nextId = draft.nextId;
  const rows = read.map(([name, value]): EnvironmentRow => ({ id: nextId++, name, value, origin: 'text' }));
  const kept = draft.environment.filter(
    (row) => row.origin !== 'text' && !rows.some((other) => other.name === row.name),
  );
  return {
    ...draft,
    text,
    chosen,
    cwd: stdio?.cwd ?? draft.cwd,
    protocol: server?.protocol ?? draft.protocol,
    environment: [...rows, ...kept],
    nextId,
  };
}

/** A configured server, to be changed before it is started. Its values stay in the proxy. */
export function draftOfServer(server: ConfiguredServer): ServerDraft {
  const { target } = server;
  const text = target.transport === 'stdio' ? join([target.command, ...target.args]) : target.url;
  return {
    ...EMPTY_DRAFT,
    text,
    ...(target.name !== undefined && { name: target.name }),
    cwd: (target.transport === 'stdio' && target.cwd) || '',
    environment: server.envNames.map((name, index) => ({ id: index + 1, name, value: '', origin: 'config' })),
    protocol: server.protocol,
    base: server.id,
    nextId: server.envNames.length + 1,
  };
}

/** What a connection was started with, to be changed and started again; values come from the configured server it was, if any. */
export function draftOfStart(start: StartEvent, servers: readonly ConfiguredServer[]): ServerDraft {
  const text = join([start.command, ...start.args]);
  const base = servers.find(
    ({ target }) => target.transport === 'stdio' && join([target.command, ...target.args]) === text,
  );
  const names = start.environment.added;
  return {
    ...EMPTY_DRAFT,
    text,
    name: start.name,
    cwd: start.cwd,
    environment: names.map((name, index) => ({
      id: index + 1,
      name,
      value: '',
      origin: base?.envNames.includes(name) ? 'config' : 'hand',
    })),
    protocol: start.protocol,
    ...(base && { base: base.id }),
    nextId: names.length + 1,
  };
}

/** What to send for a draft; undefined while its text means nothing. */
export function targetOfDraft(draft: ServerDraft): Target | undefined {
  const { server } = readDraft(draft);
  if (!server) return undefined;
  const name = server.name ?? server.target.name ?? draft.name;
  const common = { ...(name !== undefined && { name }), ...(draft.base !== undefined && { base: draft.base }) };
  if (server.target.transport !== 'stdio') return { ...server.target, ...common };
  const { command, args } = server.target;
  const env: [string, string | null][] = draft.environment
    .filter((row) => row.name.trim() !== '' && !(row.origin === 'config' && row.value === ''))
    .map((row) => [row.name.trim(), row.value]);
  const gone = draft.removed.filter((name) => !env.some(([other]) => other === name));
  return {
    transport: 'stdio',
    ...common,
    command,
    args,
    ...(draft.cwd.trim() !== '' && { cwd: draft.cwd.trim() }),
    // fromEntries defines own properties, so a variable called __proto__ is one like others.
    env: Object.fromEntries([...gone.map((name): [string, null] => [name, null]), ...env]),
  };
}
