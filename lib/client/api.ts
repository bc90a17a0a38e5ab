import { ConnectionError } from '@/lib/transports/transport';
import type { ConnectionsReply, EnvironmentReply, ServersReply } from '@/lib/wire/api';

type Fetch = (path: string, init: RequestInit) => Promise<Response>;

/** What each path under `/api` answers. */
interface Replies {
  '/api/connections': ConnectionsReply;
  '/api/servers': ServersReply;
  '/api/environment': EnvironmentReply;
}

/** The proxy's plain HTTP reads, with the token. */
export class Api {
  readonly #token: string;
  readonly #fetch: Fetch;

  constructor(token: string, fetch: Fetch) {
    this.#token = token;
    this.#fetch = fetch;
  }

  /** Reads one path. Rejects with a Failure: `proxy-unreachable`, `token-refused` or `proxy-error`. */
  async get<P extends keyof Replies>(path: P, signal?: AbortSignal): Promise<Replies[P]> {
    const response = await this.#ask(path, signal);
    if (isRefusal(response)) {
      throw new ConnectionError({
        code: 'token-refused',
        message: 'mcp-inspect does not know this page: it was started again since.',
        advice: 'Open the link that it printed in the terminal.',
      });
    }
    const reply = response.ok ? await response.json().catch(() => undefined) : undefined;
    if (reply !== undefined) return reply as Replies[P];
    throw new ConnectionError({
      code: 'proxy-error',
      message: `mcp-inspect answered ${response.status} where data was asked for.`,
      advice: 'Reload the page; if that does not help, restart mcp-inspect.',
    });
  }

  /** Whether the proxy is there and refuses our token. */
  async isTokenRefused(): Promise<boolean> {
    return this.#ask('/api/environment').then(isRefusal, () => false);
  }

  async #ask(path: string, signal?: AbortSignal): Promise<Response> {
    try {
      return await this.#fetch(path, {
        headers: { authorization: `Bearer ${this.#token}` },
        cache: 'no-store',
        signal,
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new ConnectionError({
        code: 'proxy-unreachable',
        message: 'mcp-inspect does not answer.',
        advice: 'Check that it still runs in its terminal.',
      });
    }
  }
}

function isRefusal(response: Response): boolean {
  return response.status === 401 || response.status === 403;
}
