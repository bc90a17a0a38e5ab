import type { Socket } from 'node:net';
import { isObject, own, type RequestId, type RpcError } from '@/lib/json/value';
import { errorText } from '@/lib/replay/server/messages-to-client';
import type { Replay, ReplayHost } from '@/lib/replay/server/replay';
import { ReplayConnection } from '@/lib/replay/server/replay-connection';
import { ParamHeaders } from '@/lib/transports/param-headers';
import { type OutgoingMessage, requestHeaders } from '@/lib/transports/request-headers';
import { LIMITS } from '@/lib/wire/limits';
import { bareReply, sendReply } from '@/proxy/http/reply';
import { type Endpoint, headerOf, post } from './post';

/** Ids of a client's last requests by which a replay tells it from others (2026-07-28). */
export const REPLAY_IDS = 100;

/** The code for a header that does not say what its body says (2026-07-28). */
const HEADER_MISMATCH = -32020;
const ABOUT_CONTENT = ['Content-Type', 'Accept'];
const BASE64 = /^=\?base64\?(.*)\?=$/;

/**
 * What is wrong with the headers of a modern POST: each that repeats the message has to be there, and to say the same.
 * `header` gives a header's value by its name. `tools`: the recorded ones, some of whose arguments are headers.
 */
function headerMismatch(
  message: OutgoingMessage,
  tools: ParamHeaders,
  header: (name: string) => string | undefined,
): RpcError | undefined {
  for (const [name, wanted] of requestHeaders(message, undefined, undefined, tools)) {
    const given = header(name.toLowerCase());
    if (ABOUT_CONTENT.includes(name) || (given !== undefined && decoded(given) === decoded(wanted))) continue;
    const how = given === undefined ? 'is missing' : 'is not what the message says';
    return { code: HEADER_MISMATCH, message: `The header ${name} ${how}.` };
  }
  return undefined;
}

/** A header's value in either of its two forms. */
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
  connectionFor(socket: Socket, { method, params, ids }: OutgoingMessage): ReplayConnection {
    const name = nameIn(own(params, '_meta'));
    const known = this.#sockets.get(socket) ?? new Map<string, ReplayConnection>();
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

/** As of 2026-07-28: POSTs that stand for themselves, whose headers have to say what they say. */
export function modernEndpoint(replay: Replay, host: Omit<ReplayHost, 'side'>): Endpoint {
  const side = { sendMessage: () => {}, isOpen: false };
  const clients = new ModernClients(() => new ReplayConnection(replay, { ...host, side }));
  const tools = recordedTools(replay);
  return {
    async handle(request, response) {
      if (request.method !== 'POST') sendReply(response, bareReply(405));
      else {
        await post(request, response, replay, (message) => {
          const refused = headerMismatch(message, tools, (name) => headerOf(request, name));
          if (!refused) return { connection: clients.connectionFor(request.socket, message), callsOffByClosing: true };
          const body = errorText(JSON.stringify(message.ids[0] ?? null), refused.code, refused.message);
          sendReply(response, { status: 400, type: 'application/json', body });
          return undefined;
        });
      }
    },
    end: () => clients.end(),
  };
}

/** Some arguments of the recorded tools have to be repeated in headers. */
function recordedTools({ traffic }: Replay): ParamHeaders {
  const tools = new ParamHeaders();
  for (const message of traffic.sent) {
    if (message.method !== 'tools/list' || message.kind !== 'call' || message.answer?.kind !== 'result') continue;
    tools.learnTools(`{"result":${message.answer.text}}`);
  }
  return tools;
}
