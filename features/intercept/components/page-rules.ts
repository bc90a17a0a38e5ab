import { useEffect, useSyncExternalStore } from 'react';
import { type ClientStatus, useClient } from '@/lib/hooks/client';
import { useConnections } from '@/lib/hooks/connections';
import { useDraft } from '@/lib/hooks/drafts';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { type ConnectionSummary, entryOf } from '@/lib/wire/command';
import type { InterceptRule } from '@/lib/wire/intercept';
import { canSend, type Failure } from '@/lib/wire/lifecycle';

/** The rule of the switch that holds everything. */
export const HOLD_EVERYTHING: InterceptRule = { name: 'Hold everything', action: { do: 'hold' } };

/** The rules of this page that are in force on a connection. */
interface RulesOn {
  /** Names. */
  readonly on: ReadonlySet<string>;
  readonly everything: boolean;
  /** Why the last change failed. */
  readonly failure?: Failure;
  /** Some were on when the link to mcp-inspect was lost, which turned them off. */
  readonly lost?: true;
}

const OFF: RulesOn = { on: new Set(), everything: false };

/** Decides what the page sends, and keeps what is in force. Rules are gone with the socket, so all begin as off. */
export class PageRulesInForce {
  readonly #shown = new Map<string, RulesOn>();
  /** The rules that mcp-inspect has confirmed. */
  readonly #confirmed = new Map<string, RulesOn>();
  readonly #attempts = new Map<string, number>();
  /** The newest run of each entry, and all runs, by id. */
  readonly #newest = new Map<string, string>();
  readonly #runs = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #everything: readonly string[] = [];

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The same object until it changes. */
  of(connection: string): RulesOn {
    return this.#shown.get(connection) ?? OFF;
  }

  /** Connections whose messages are all held. The same array until it changes. */
  get holdingEverything(): readonly string[] {
    return this.#everything;
  }

  /** Puts rules in force. `send` gets the whole list. If it rejects, what was in force before still is. */
  async apply(
    connection: string,
    next: Pick<RulesOn, 'on' | 'everything'>,
    rules: readonly InterceptRule[],
    send: (rules: readonly InterceptRule[]) => Promise<unknown>,
  ): Promise<void> {
    const attempt = (this.#attempts.get(connection) ?? 0) + 1;
    this.#attempts.set(connection, attempt);
    const wanted = { on: next.on, everything: next.everything };
    this.#set(connection, wanted);
    try {
      await send([...(next.everything ? [HOLD_EVERYTHING] : []), ...rules.filter(({ name }) => next.on.has(name))]);
      this.#confirmed.set(connection, wanted);
    } catch (failure) {
      // A later change is still on its way.
      if (this.#attempts.get(connection) !== attempt) return;
      this.#set(connection, { ...(this.#confirmed.get(connection) ?? OFF), failure: failure as Failure });
    }
  }

  /** Called for another socket, which has no rules. */
  socketReplaced(): void {
    for (const [connection, { on, everything }] of this.#shown) {
      if (on.size > 0 || everything) this.#set(connection, { ...OFF, lost: true });
    }
    this.#confirmed.clear();
  }

  /** Called for each connection. A restart keeps the rules, so the next run of a server has those of the run before. */
  connectionChanged(connection: Pick<ConnectionSummary, 'id' | 'entry'>): void {
    const { id } = connection;
    if (this.#runs.has(id)) return;
    this.#runs.add(id);
    const entry = entryOf(connection);
    const before = this.#newest.get(entry);
    this.#newest.set(entry, id);
    const kept = before === undefined ? undefined : this.#confirmed.get(before);
    if (before === undefined || !kept) return;
    this.#confirmed.delete(before);
    this.#confirmed.set(id, kept);
    this.#set(before, OFF);
    this.#set(id, kept);
  }

  #set(connection: string, rules: RulesOn): void {
    this.#shown.set(connection, rules);
    this.#everything = [...this.#shown].flatMap(([id, { everything }]) => (everything ? [id] : []));
    for (const listener of [...this.#listeners]) listener();
  }
}

const inForce = new PageRulesInForce();
const NONE: readonly InterceptRule[] = [];

/** The rules of this page for a server, and which of them are in force on a connection. */
export interface PageRules extends RulesOn {
  /** Kept in this tab. They are off after a reload. */
  readonly rules: readonly InterceptRule[];
  readonly turn: (name: string, on: boolean) => void;
  readonly holdEverything: (on: boolean) => void;
  /** Adds a rule, or replaces the one of that name, and turns it on. */
  readonly save: (rule: InterceptRule, replaces: string | undefined) => void;
  /** Adds rules that are off. */
  readonly add: (rules: readonly InterceptRule[]) => void;
  readonly remove: (name: string) => void;
  /** Puts a removed rule back at its place. Its name must be free. */
  readonly putBack: (rule: InterceptRule, at: number, on: boolean) => void;
  /** Moves a rule to a place in the list, from 0. The first rule that matches a message takes it. */
  readonly move: (name: string, to: number) => void;
}

/** Returns the rules of this page. Runs of a server share the list, by the server's name. */
export function usePageRules(log: Log): PageRules {
  const client = useClient();
  const { connection } = log;
  const server = useLogState(log, (state) => state.connection.start?.name ?? '');
  const [rules, setRules] = useDraft(`intercept rules ${server}`, NONE);
  const state = useSyncExternalStore(
    inForce.subscribe,
    () => inForce.of(connection),
    () => OFF,
  );
  const apply = (next: Pick<RulesOn, 'on' | 'everything'>, all = rules) =>
    void inForce.apply(connection, next, all, (sent) => client.send({ type: 'set-rules', connection, rules: sent }));
  const replaceList = (all: readonly InterceptRule[], on: ReadonlySet<string>) => {
    setRules(all);
    if (state.on.size > 0 || on.size > 0) apply({ on, everything: state.everything }, all);
  };
  const without = (name: string | undefined) => new Set([...state.on].filter((one) => one !== name));
  return {
    ...state,
    rules,
    turn: (name, on) => apply({ ...state, on: on ? new Set([...state.on, name]) : without(name) }),
    holdEverything: (everything) => apply({ ...state, everything }),
    save: (rule, replaces) => {
      const at = rules.findIndex(({ name }) => name === replaces);
      const all = at < 0 ? [...rules, rule] : rules.with(at, rule);
      replaceList(all, new Set([...without(replaces), rule.name]));
    },
    add: (more) => setRules([...rules, ...more]),
    remove: (name) =>
      replaceList(
        rules.filter((rule) => rule.name !== name),
        without(name),
      ),
    putBack: (rule, at, on) =>
      replaceList(rules.toSpliced(at, 0, rule), on ? new Set([...state.on, rule.name]) : state.on),
    move: (name, to) => {
      const rule = rules.find((one) => one.name === name);
      if (rule) replaceList(moved(rules, rule, to), state.on);
    },
  };
}

/** Returns the list with an item at another place. */
function moved<T>(list: readonly T[], item: T, to: number): readonly T[] {
  const others = list.filter((one) => one !== item);
  return [...others.slice(0, to), item, ...others.slice(to)];
}

/** Returns the connections whose messages this page holds, all of them. Something on the page must always call it. */
export function useHoldingEverything(): readonly string[] {
  const client = useClient();
  const { connections } = useConnections();
  useEffect(() => {
    for (const connection of connections) inForce.connectionChanged(connection);
  }, [connections]);
  useEffect(
    () =>
      client.onEvent((event) => {
        if (event.type === 'welcome') inForce.socketReplaced();
      }),
    [client],
  );
  return useSyncExternalStore(
    inForce.subscribe,
    () => inForce.holdingEverything,
    () => [],
  );
}

const ENDED = 'Not connected. Restart the server first.';
const LOST: Readonly<Partial<Record<ClientStatus, string>>> = {
  lost: 'The link to mcp-inspect was lost, which turned all rules off.',
  refused: 'This page is read-only, because mcp-inspect was restarted.',
};

/** How far messages of a log can be intercepted: `past` shows what was, and `closed` says why nothing is possible. */
export interface Intercepting {
  /** A recording, or a moment of the past. */
  readonly past: boolean;
  readonly closed: string | undefined;
}

/** Returns whether messages of a log can be intercepted: those of open connections and of live taps. */
export function useIntercepting(log: Log): Intercepting {
  const { status } = useClient();
  const { connections } = useConnections();
  const state = useLogState(log.whole, ({ connection }) => connection.state);
  const own = connections.find(({ id }) => id === log.connection);
  const live = own?.recording ? own.recording.tap?.live === true : true;
  const past = !live || log !== log.whole;
  // The client of a tapped session may not have opened it yet.
  const open = own?.recording ? state !== 'closed' && state !== 'failed' : canSend(state);
  const lost = own?.via === 'direct' ? undefined : LOST[status];
  return { past, closed: past ? undefined : (lost ?? (open ? undefined : ENDED)) };
}
