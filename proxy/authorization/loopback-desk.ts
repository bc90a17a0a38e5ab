import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SignIn, SignInDesk } from '@/lib/auth/sign-in-desk';
import { ConnectionError } from '@/lib/transports/transport';
import { LIMITS } from '@/lib/wire/limits';
import { guard } from '../http/guard';
import { bareReply, sendReply } from '../http/reply';
import { CallbackDesk } from './callback-desk';
import { callbackRoute } from './callback-route';

/**
 * A desk without a page of ours: it listens on a free port of 127.0.0.1 while somebody signs in, behind the same guard, and
 * for nothing but the callback.
 */
export class LoopbackDesk implements SignInDesk {
  readonly #desk: CallbackDesk;
  readonly #attended: boolean;
  #server: Promise<Server> | undefined;

  /** `attended`: there is somebody who could sign in, and `tell` reaches them. */
  constructor(attended: boolean, tell: (signIn: SignIn) => void) {
    this.#attended = attended;
    this.#desk = new CallbackDesk(tell);
  }

  async redirectUri(): Promise<string> {
    if (!this.#attended) {
      throw new ConnectionError({
        code: 'sign-in-impossible',
        message: 'The server wants somebody to sign in, and in CI there is nobody.',
        advice: 'Give a token: --header "Authorization: Bearer …".',
      });
    }
    this.#server ??= this.#listen();
    await this.#server;
    return this.#desk.redirectUri();
  }

  callback(signIn: SignIn, signal: AbortSignal): Promise<URLSearchParams> {
    return this.#desk.callback(signIn, signal);
  }

  /** Stops listening. */
  async close(): Promise<void> {
    const server = await this.#server?.catch(() => undefined);
    server?.closeAllConnections();
    server?.close();
  }

  async #listen(): Promise<Server> {
    const server = createServer({
      maxHeaderSize: LIMITS.headerBytes,
      headersTimeout: LIMITS.headersMs,
      requestTimeout: LIMITS.bodyMs,
      requireHostHeader: false,
    });
    server.listen({ host: '127.0.0.1', port: 0, exclusive: true });
    await once(server, 'listening');
    const authority = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.#desk.servedAt(`http://${authority}`);
    const route = callbackRoute(this.#desk);
    const nothing = { ...route, path: '*', access: 'token' } as const;
    const policy = {
      authorities: new Set([authority]),
      routes: [route],
      pages: nothing,
      acceptsToken: () => false,
    };
    server.on('request', async (request, response) => {
      const { method = '', url = '', rawHeaders } = request;
      const decision = guard({ method, target: url, rawHeaders, upgrade: false }, policy);
      if (!decision.allow) return sendReply(response, bareReply(decision.status), true);
      const query = method === 'HEAD' ? '' : queryOf(url);
      sendReply(response, await decision.route.handle({ path: decision.path, body: '', query }), true);
    });
    return server;
  }
}

/** What stands behind the `?`. */
function queryOf(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? '' : target.slice(at + 1);
}
