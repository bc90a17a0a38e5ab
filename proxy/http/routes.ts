import type { IncomingMessage } from 'node:http';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { ConnectionError } from '@/lib/transports/transport';
import type { ConnectionsReply, EnvironmentReply, HostReply, LaunchReply, ServersReply } from '@/lib/wire/api';
import { formatBytes } from '@/lib/wire/format';
import type { RouteShape } from './guard';
import type { LaunchLinks } from './launch-links';
import { bareReply, jsonReply, type Reply } from './reply';

/** What the page can read from the proxy. */
export interface Api {
  connections(): ConnectionsReply;
  servers(): ServersReply;
  environment(): EnvironmentReply;
}

/** What a handler gets: by then the guard has let the request in. */
interface AllowedRequest {
  readonly path: string;
  /** Prefix of `path` in the browser's URL: `''` except for a public URL with a path. */
  readonly base: string;
  /** `''` unless the method is POST. */
  readonly body: string;
  /** What stands behind the `?`, raw. `''` for HEAD: looking must change nothing. */
  readonly query: string;
  /** Set for routes that take a file: its bytes, as they come. Of one that is too long it throws a ConnectionError. */
  readonly file?: AsyncIterable<Uint8Array>;
}

/** An entry of the route table. */
export type Route = HttpRoute | SocketRoute;

/** Answered by `handle`. */
export interface HttpRoute extends RouteShape {
  readonly upgrade: false;
  /** The longest body, if it may be longer than `LAUNCH_BODY_BYTES`. */
  readonly bodyBytes?: number;
  handle(request: AllowedRequest): Reply | Promise<Reply>;
}

interface SocketRoute extends RouteShape {
  readonly upgrade: true;
}

/** The part of {@link LaunchLinks} that the network may touch. */
type LaunchDoor = Pick<LaunchLinks, 'redeem' | 'renew'>;

/** The first names of all paths in the route table. */
export const ROUTE_NAMES: readonly string[] = ['api', 'host.json', 'launch', 'oauth', 'ws'];

/**
 * The route table. Everything in it needs the token but `/launch`, of `further` what says so, and `/host.json`, which says only
 * that we are here.
 */
export function createRoutes(api: Api, launching: LaunchDoor, further: readonly HttpRoute[] = []): readonly Route[] {
  const read = (path: string, value: () => unknown): Route => ({
    method: 'GET',
    path,
    upgrade: false,
    access: 'token',
    handle: () => jsonReply(200, value()),
  });
  return [
    read('/api/connections', () => api.connections()),
    read('/api/servers', () => api.servers()),
    read('/api/environment', () => api.environment()),
    {
      method: 'GET',
      path: '/host.json',
      upgrade: false,
      access: 'open',
      handle: () => jsonReply(200, { proxy: true } satisfies HostReply),
    },
    { method: 'GET', path: '/ws', upgrade: true, access: 'token' },
    {
      method: 'POST',
      path: '/launch',
      upgrade: false,
      access: 'open',
      handle: ({ body }) => launch(body, launching),
    },
    ...further,
  ];
}

/** The route of every path that is not in the table: the built UI, which holds no secret. */
export function createPages(answer: (path: string, base: string) => Promise<Reply>): Route {
  const handle = ({ path, base }: AllowedRequest) => answer(path, base);
  return { method: 'GET', path: '*', upgrade: false, access: 'open', handle };
}

/** `{"code": "…"}` → the token or 401. `{}` → 202, and a fresh link in the terminal. */
function launch(body: string, launching: LaunchDoor): Reply {
  const request = parseBody(body);
  if (!isObject(request)) return bareReply(400);
  const code = own(request, 'code');
  if (typeof code === 'string') {
    const token = launching.redeem(code);
    return token === undefined ? bareReply(401) : jsonReply(200, { token } satisfies LaunchReply);
  }
  if (Object.keys(request).length > 0) return bareReply(400);
  launching.renew();
  return jsonReply(202, {});
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The whole body as text, or undefined if it is longer than `most` bytes. */
export async function readBody(request: IncomingMessage, most: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop early must not destroy the socket: it has an answer to carry.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The JSON object that a body is, or undefined. */
export function objectIn(body: string): JsonObject | undefined {
  try {
    const request: unknown = JSON.parse(body);
    return isObject(request) ? request : undefined;
  } catch {
    return undefined;
  }
}

/** The body in pieces, as they come. Throws a ConnectionError `file-too-large` beyond `most` bytes. */
export async function* readFile(request: IncomingMessage, most: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > most) {
      throw new ConnectionError({
        code: 'file-too-large',
        message: `A file of more than ${formatBytes(most)} is not imported.`,
        advice: 'Copy it into the folder of recordings yourself, or open it from where it is.',
      });
    }
    yield chunk;
  }
}
