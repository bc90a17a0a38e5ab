import type { IncomingMessage } from 'node:http';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { ConnectionError } from '@/lib/transports/transport';
import type { ConnectionsReply, EnvironmentReply, HostReply, LaunchReply, ServersReply } from '@/lib/wire/api';
import { formatBytes } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import type { RouteShape } from './guard';
import type { LaunchLinks } from './launch-links';
import { bareReply, jsonReply, type Reply } from './reply';

/** The data that the page can read from the proxy. */
export interface PageApi {
  connections(): ConnectionsReply;
  servers(): Promise<ServersReply>;
  environment(): EnvironmentReply;
}

/** A request that passed the guard. */
interface AllowedRequest {
  readonly path: string;
  /** Prefix of `path` in the browser's URL: `''` except for a public URL with a path. */
  readonly base: string;
  /** `''` unless the method is POST. */
  readonly body: string;
  /** The raw text after the `?`. `''` for HEAD, which must have no effects. */
  readonly query: string;
  /** The bytes of the file, for routes that take one. Throws a ConnectionError if the file is too long. */
  readonly file?: AsyncIterable<Uint8Array>;
  /** Aborted if the browser goes away before it has the reply. For routes that take a file. */
  readonly gone?: AbortSignal;
}

/** An entry of the route table. */
export type Route = HttpRoute | SocketRoute;

export interface HttpRoute extends RouteShape {
  readonly upgrade: false;
  /** Longest body in bytes; `LAUNCH_BODY_BYTES` if absent. */
  readonly bodyBytes?: number;
  handle(request: AllowedRequest): Reply | Promise<Reply>;
}

interface SocketRoute extends RouteShape {
  readonly upgrade: true;
}

/** The part of {@link LaunchLinks} that a request may use. */
type Launch = Pick<LaunchLinks, 'redeem' | 'renew'>;

/** The first path segments of all routes but those of features. */
export const ROUTE_NAMES: readonly string[] = ['api', 'host.json', 'launch', 'oauth', 'ws'];

/**
 * Returns the route table. All routes need the token, except `/launch`, `/host.json` and those of `further` that are
 * open. `/host.json` only says that mcp-inspect is here.
 */
export function createRoutes(api: PageApi, links: Launch, further: readonly HttpRoute[] = []): readonly Route[] {
  const read = (path: string, value: () => unknown): Route => ({
    method: 'GET',
    path,
    upgrade: false,
    access: 'token',
    handle: async () => jsonReply(200, await value()),
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
      handle: ({ body }) => launch(body, links),
    },
    ...further,
  ];
}

/** Returns the route of all paths that are not in the table: the built UI, which holds no secret. */
export function createPages(answer: (path: string, base: string) => Promise<Reply>): Route {
  const handle = ({ path, base }: AllowedRequest) => answer(path, base);
  return { method: 'GET', path: '*', upgrade: false, access: 'open', handle };
}

/** Answers `{"code": "…"}` with the token or 401, and `{}` with 202 and a new link in the terminal. */
async function launch(body: string, links: Launch): Promise<Reply> {
  const request = objectIn(body);
  if (request === undefined) return bareReply(400);
  const code = own(request, 'code');
  if (typeof code === 'string') {
    const token = await links.redeem(code);
    return token === undefined ? bareReply(401) : jsonReply(200, { token } satisfies LaunchReply);
  }
  if (Object.keys(request).length > 0) return bareReply(400);
  links.renew();
  return jsonReply(202, {});
}

/** Reads a whole body as text. Resolves with undefined if it is longer than `most` bytes. */
export async function readBody(request: IncomingMessage, most: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop early must not destroy the socket, which the response still needs.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Parses a body. Returns undefined if it is not a JSON object. */
export function objectIn(body: string): JsonObject | undefined {
  try {
    const request: unknown = JSON.parse(body);
    return isObject(request) ? request : undefined;
  } catch {
    return undefined;
  }
}

/** Yields the chunks of a body. Throws ConnectionError `file-too-large`, if possible before it reads anything. */
export async function* readFile(request: IncomingMessage, most: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  if (Number(request.headers['content-length'] ?? 0) > most) throw new ConnectionError(fileTooLarge(most));
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > most) throw new ConnectionError(fileTooLarge(most));
    yield chunk;
  }
}

function fileTooLarge(most: number): Failure {
  return {
    code: 'file-too-large',
    message: `The file is larger than ${formatBytes(most)}, so it was not imported.`,
    advice: 'Copy it into the folder of recordings, or open it with `mcp-inspect open`.',
  };
}
