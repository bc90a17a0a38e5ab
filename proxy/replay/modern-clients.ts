import type { Socket } from 'node:net';
import type { ReplayConnection } from '@/lib/replay/replay-connection';
import type { Outgoing } from '@/lib/transports/outgoing';
import { LIMITS } from '@/lib/wire/limits';
import { isObject, own } from '@/lib/wire/message';

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/**
 * Whom a request of 2026-07-28 comes from, where there are no sessions, so that each client is at its own place in the recording. What says one name
 * on one socket is one client. On another socket `server/discover` is a new one, and anything else is from the one of its name that was heard last.
 */
export class ModernClients {
  /** Each with its name, the one heard last at the end. */
  readonly #clients = new Map<ReplayConnection, string>();
  /** By name. */
  readonly #sockets = new WeakMap<Socket, Map<string, ReplayConnection>>();
  readonly #begin: () => ReplayConnection;

  /** `begin` makes a connection to another client. */
  constructor(begin: () => ReplayConnection) {
    this.#begin = begin;
  }

  /** The connection to whoever sent this. The one that was not heard of for longest ends where there are too many. */
  of(socket: Socket, { method, params }: Outgoing): ReplayConnection {
    const name = nameIn(own(params, '_meta'));
    const known = this.#sockets.get(socket) ?? new Map<string, ReplayConnection>();
    this.#sockets.set(socket, known);
    const same = known.get(name);
    const heard = same && this.#clients.has(same) ? same : method === 'server/discover' ? undefined : this.#last(name);
    const connection = heard ?? this.#begin();
    known.set(name, connection);
    this.#clients.delete(connection);
    this.#clients.set(connection, name);
    const [oldest] = this.#clients.keys();
    if (this.#clients.size > LIMITS.replaySessions) this.#end(oldest!);
    return connection;
  }

  end(): void {
    for (const connection of [...this.#clients.keys()]) this.#end(connection);
  }

  #last(name: string): ReplayConnection | undefined {
    return [...this.#clients].findLast(([, called]) => called === name)?.[0];
  }

  #end(connection: ReplayConnection): void {
    this.#clients.delete(connection);
    connection.end();
  }
}

/** What a client calls itself, as far as that tells it from others; '' if it doesn't say. */
function nameIn(meta: unknown): string {
  const info = isObject(meta) ? own(meta, CLIENT_INFO) : undefined;
  return (JSON.stringify(info) ?? '').slice(0, LIMITS.replayShownChars);
}
