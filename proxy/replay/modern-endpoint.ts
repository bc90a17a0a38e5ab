import type { Socket } from 'node:net';
import { isObject, own } from '@/lib/json/value';
import { errorAnswerText } from '@/lib/replay/server/messages-to-client';
import { type OutgoingMessage, requestHeaders } from '@/lib/transports/request-headers';
import { LIMITS } from '@/lib/wire/limits';
import type { RequestId, RpcError } from '@/lib/wire/message';
import { META_KEY, RPC_CODE } from '@/lib/wire/protocol-names';
import type { ParamHeaders } from '@/lib/wire/repeated-headers';
import { bareReply, sendReply } from '@/proxy/http/reply';
import type { Backend, BackendConnection } from './backend';
import { type Endpoint, post, requestHeader } from './post';

/** Most request ids remembered of a client (2026-07-28). */
export const REPLAY_IDS = 100;

const ABOUT_CONTENT = ['Content-Type', 'Accept'];
const BASE64 = /^=\?base64\?(.*)\?=$/;

/**
 * Finds what is wrong with the headers of a modern POST: headers that repeat the message must be there and match.
 * `header` returns a header by name. `tools`: recorded tools with arguments in headers.
 */
function headerMismatch(
  message: OutgoingMessage,
  tools: ParamHeaders,
  header: (name: string) => string | undefined,
): RpcError | undefined {
  for (const [name, wanted] of requestHeaders(message, undefined, undefined, tools)) {
    const given = header(name.toLowerCase());
    if (ABOUT_CONTENT.includes(name) || (given !== undefined && decoded(given) === decoded(wanted))) continue;
    const how = given === undefined ? 'is missing' : 'does not match the message';
    return { code: RPC_CODE.headerMismatch, message: `The header ${name} ${how}.` };
  }
  return undefined;
}

/** Decodes a header value, plain or in base64. */
function decoded(value: string): string {
  const text = BASE64.exec(value)?.[1];
  return text === undefined ? value.trim() : bytesText(text);
}

function bytesText(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    return base64;
  }
}

interface Client {
  readonly connection: BackendConnection;
  readonly name: string;
  /** The client’s latest request ids, the newest at the end. */
  readonly ids: Set<RequestId>;
}

/**
 * Tells clients apart without sessions (2026-07-28), so that each has its own position in the recording. Requests with
 * one name on one socket are one client. On another socket, `server/discover` starts a new client. Any other request
 * belongs to a client with its name. Clients that have used its id are the last choice. Of the others, it is the one
 * whose last id is closest, otherwise the most recent one.
 */
export class ModernClients {
  /** Least recently used first. */
  readonly #clients = new Map<BackendConnection, Client>();
  /** Connections of each socket, by client name. */
  readonly #sockets = new WeakMap<Socket, Map<string, BackendConnection>>();
  readonly #begin: () => BackendConnection;
  readonly #most: number;

  /** `begin` makes the connection of a new client. `most`: clients at a time. */
  constructor(begin: () => BackendConnection, most: number = LIMITS.replaySessions) {
    this.#begin = begin;
    this.#most = most;
  }

  /** Finds the connection of a request. With too many clients, the least recently used one ends. */
  connectionFor(socket: Socket, { method, params, ids }: OutgoingMessage): BackendConnection {
    const name = nameIn(own(params, '_meta'));
    const known = this.#sockets.get(socket) ?? new Map<string, BackendConnection>();
    this.#sockets.set(socket, known);
    const same = this.#clients.get(known.get(name)!);
    const isNew = !same && method === 'server/discover';
    const client = same ?? (isNew ? undefined : this.#likeliest(name, ids[0])) ?? this.#made(name);
    for (const id of ids) if (String(id).length <= LIMITS.replayShownChars) client.ids.add(id);
    for (const id of client.ids) if (client.ids.size > REPLAY_IDS) client.ids.delete(id);
    const { connection } = client;
    known.set(name, connection);
    this.#clients.delete(connection);
    this.#clients.set(connection, client);
    const [oldest] = this.#clients.keys();
    if (this.#clients.size > this.#most) this.#end(oldest!);
    return connection;
  }

  end(): void {
    for (const connection of [...this.#clients.keys()]) this.#end(connection);
  }

  #made(name: string): Client {
    return { connection: this.#begin(), name, ids: new Set() };
  }

  /** Finds the likeliest client with a name. Some clients use the same id for all requests. */
  #likeliest(name: string, id: RequestId | undefined): Client | undefined {
    const named = [...this.#clients.values()].filter((client) => client.name === name).reverse();
    const others = id === undefined ? [] : named.filter(({ ids }) => !ids.has(id));
    const possible = others.length > 0 ? others : named;
    const steps = (client: Client) => stepsTo(id, [...client.ids].at(-1));
    return possible.toSorted((a, b) => steps(a) - steps(b))[0];
  }

  #end(connection: BackendConnection): void {
    this.#clients.delete(connection);
    connection.end();
  }
}

/** Distance of two ids; huge for ids that are not numbers. */
function stepsTo(id: RequestId | undefined, last: RequestId | undefined): number {
  return typeof id === 'number' && typeof last === 'number' ? Math.abs(id - last) : Number.MAX_VALUE;
}

/** Returns what the client says about itself in `clientInfo`, as text; '' if it says nothing. */
function nameIn(meta: unknown): string {
  const info = isObject(meta) ? own(meta, META_KEY.clientInfo) : undefined;
  return (JSON.stringify(info) ?? '').slice(0, LIMITS.replayShownChars);
}

/** An endpoint as of 2026-07-28: POSTs without sessions, whose headers must match the body. */
export function modernEndpoint(backend: Backend): Endpoint {
  const side = { sendMessage: () => {}, isOpen: false };
  const clients = new ModernClients(() => backend.connect(side), backend.mostClients);
  return {
    async handle(request, response) {
      if (request.method !== 'POST') sendReply(response, bareReply(405));
      else {
        await post(request, response, backend, (message) => {
          const refused = headerMismatch(message, backend.tools, (name) => requestHeader(request, name));
          if (!refused) return { connection: clients.connectionFor(request.socket, message), cancelsOnClose: true };
          const body = errorAnswerText(JSON.stringify(message.ids[0] ?? null), refused.code, refused.message);
          sendReply(response, { status: 400, type: 'application/json', body });
          return undefined;
        });
      }
    },
    end: () => clients.end(),
  };
}
