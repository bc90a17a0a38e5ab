import type { SignIn, SignInCallbacks } from '@/lib/auth/credentials';
import { ConnectionError } from '@/lib/transports/transport';
import { plainPage, type Reply } from './reply';
import type { HttpRoute } from './routes';

/** Where authorization servers send people back to, on our own origin. */
const CALLBACK_PATH = '/oauth/callback';

/**
 * Knows which sign-ins wait, and hands each its callback. A callback comes from a browser that another site has sent here,
 * so it can bring no token; what lets it in is `state`: 256 bits that belong to one sign-in, and are good once.
 */
export class PendingSignIns implements SignInCallbacks {
  readonly #waiting = new Map<string, (parameters: URLSearchParams) => void>();
  readonly #shown: (signIn: SignIn) => void;
  #redirectUri: string | undefined;

  /** `shown`: tells a person where to sign in, if nothing else does. */
  constructor(shown: (signIn: SignIn) => void = () => {}) {
    this.#shown = shown;
  }

  /** Callbacks are served below this URL from now on: an origin, or a folder that ends with a slash. */
  setRoot(root: string): void {
    this.#redirectUri = new URL(`.${CALLBACK_PATH}`, root).href;
  }

  /** Undefined until callbacks are served. */
  get address(): string | undefined {
    return this.#redirectUri;
  }

  async redirectUri(): Promise<string> {
    if (this.#redirectUri !== undefined) return this.#redirectUri;
    throw new ConnectionError({
      code: 'sign-in-impossible',
      message: 'The server wants somebody to sign in, and there is nowhere to come back to.',
      advice: 'Give an Authorization header with a token.',
    });
  }

  waitForCallback(signIn: SignIn, signal: AbortSignal): Promise<URLSearchParams> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.delete(signIn.state);
        reject(signal.reason);
      };
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting.set(signIn.state, (parameters) => {
        signal.removeEventListener('abort', stop);
        this.#waiting.delete(signIn.state);
        resolve(parameters);
      });
      this.#shown(signIn);
    });
  }

  /** Takes the query of a callback. False: no sign-in waits for it, or it says something twice. */
  handleCallback(query: string): boolean {
    const parameters = new URLSearchParams(query);
    const names = [...parameters.keys()];
    const resume = this.#waiting.get(parameters.get('state') ?? '');
    if (resume === undefined || new Set(names).size !== names.length) return false;
    resume(parameters);
    return true;
  }
}

/**
 * The one route, besides the page and `/launch`, that needs no token: a browser comes by redirect from another site, and
 * sites don't know our token. It answers the same few words to everybody and only hands on what has a `state` that waits.
 */
export function callbackRoute(desk: Pick<PendingSignIns, 'handleCallback'>): HttpRoute {
  return {
    method: 'GET',
    path: CALLBACK_PATH,
    upgrade: false,
    access: 'open',
    handle: ({ query }) => callbackPage(desk.handleCallback(query)),
  };
}

/** What a browser is shown that comes back from an authorization server. Nothing of the request is in it. */
function callbackPage(taken: boolean): Reply {
  const [heading, text] = taken
    ? ['You can close this tab', 'mcp-inspect has the answer. How it went is said there.']
    : ['This sign-in is over', 'No connection of mcp-inspect waits for it any more. Begin again there.'];
  return plainPage(taken ? 200 : 400, heading, `<p>${text}</p>`);
}
