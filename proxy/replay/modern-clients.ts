import type { Socket } from 'node:net';
import type { ReplayConnection } from '@/lib/replay/replay-connection';
import type { Outgoing } from '@/lib/transports/outgoing';
import { LIMITS } from '@/lib/wire/limits';
import { isObject, own, type RequestId } from '@/lib/wire/message';

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/** What is known of a client. */
interface Client {
  readonly connection: ReplayConnection;
  readonly name: string;
  /** Its last requests, within limits, the newest at the end. */
  readonly ids: Set<RequestId>;
}

/**
 * Whom a request of 2026-07-28 comes from, where there are no sessions, so that each client is at its own place in the recording. What says one name
 * on one socket is one client. On another socket `server/discover` is a new one, and anything else is from one of that name: none uses an id
 * twice, and most count, so it is from the one whose ids it goes on with, of equals from the one heard last.
 */
export class ModernClients {
  /** The one heard last at the end. */
  readonly #clients = new Map<ReplayConnection, Client>();
  /** By name. */
  readonly #sockets = new WeakMap<Socket, Map<string, ReplayConnection>>();
  readonly #begin: () => ReplayConnection;

  /** `begin` makes a connection to another client. */
  constructor(begin: () => ReplayConnection) {
    this.#begin = begin;
  }

  /** The connection to whoever sent this. The one that was not heard of for longest ends where there are too many. */
  of(socket: Socket, { method, params, ids }: Outgoing): ReplayConnection {
    const name = nameIn(own(params, '_meta'));
    const known = this.#sockets.get(socket) ?? new Map<string, ReplayConnection>();
    this.#sockets.set(socket, known);
    const same = this.#clients.get(known.get(name)!);
    const isNew = !same && method === 'server/discover';
    const client = same ?? (isNew ? undefined : this.#likeliest(name, ids[0])) ?? this.#made(name);
    for (const id of ids) if (String(id).length <= LIMITS.replayShownChars) client.ids.add(id);
    for (const id of client.ids) if (client.ids.size > LIMITS.replayIds) client.ids.delete(id);
    const { connection } = client;
    known.set(name, connection);
    this.#clients.delete(connection);
    this.#clients.set(connection, client);
    const [oldest] = this.#clients.keys();
    if (this.#clients.size > LIMITS.replaySessions) this.#end(oldest!);
    return connection;
  }

  end(): void {
    for (const connection of [...this.#clients.keys()]) this.#end(connection);
  }

  #made(name: string): Client {
    return { connection: this.#begin(), name, ids: new Set() };
  }

  /** Of the clients of this name, if there are any. Some use one id for all. */
  #likeliest(name: string, id: RequestId | undefined): Client | undefined {
    const named = [...this.#clients.values()].filter((client) => client.name === name).reverse();
    const others = id === undefined ? [] : named.filter(({ ids }) => !ids.has(id));
    const possible = others.length > 0 ? others : named;
    const steps = (client: Client) => stepsTo(id, [...client.ids].at(-1));
    return possible.toSorted((a, b) => steps(a) - steps(b))[0];
  }

  #end(connection: ReplayConnection): void {
    this.#clients.delete(connection);
    connection.end();
  }
}

/** How far an id is from another one; very far for what does not count. */
function stepsTo(id: RequestId | undefined, last: RequestId | undefined): number {
  return typeof id === 'number' && typeof last === 'number' ? Math.abs(id - last) : Number.MAX_VALUE;
}

/** What a client calls itself, as far as that tells it from others; '' if it doesn't say. */
function nameIn(meta: unknown): string {
  const info = isObject(meta) ? own(meta, CLIENT_INFO) : undefined;
  return (JSON.stringify(info) ?? '').slice(0, LIMITS.replayShownChars);
}
