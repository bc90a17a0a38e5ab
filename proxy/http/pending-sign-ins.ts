import type { SignIn, SignInCallbacks } from '@/lib/auth/credentials';
import { ConnectionError } from '@/lib/transports/transport';

/** The path that authorization servers redirect people to. */
export const CALLBACK_PATH = '/oauth/callback';

/**
 * The sign-ins that wait for a person. Each one gets its own callback. A callback is a redirect from another site,
 * so it has no token. It is accepted by its `state`: 256 random bits that belong to one sign-in and work once.
 */
export class PendingSignIns implements SignInCallbacks {
  readonly #waiting = new Map<string, (parameters: URLSearchParams) => void>();
  readonly #show: (signIn: SignIn) => void;
  #redirectUri: string | undefined;

  /** `show`: shows the person where to sign in, if nothing else does. */
  constructor(show: (signIn: SignIn) => void = () => {}) {
    this.#show = show;
  }

  /** Sets the URL that callbacks are served below: an origin, or a folder that ends with a slash. */
  setRoot(root: string): void {
    this.#redirectUri = new URL(`.${CALLBACK_PATH}`, root).href;
  }

  /** The redirect URI. undefined until callbacks are served. */
  get address(): string | undefined {
    return this.#redirectUri;
  }

  async redirectUri(): Promise<string> {
    if (this.#redirectUri !== undefined) return this.#redirectUri;
    throw new ConnectionError({
      code: 'sign-in-impossible',
      message: 'The server requires a sign-in, but mcp-inspect can’t receive its callback here.',
      advice: 'Add an Authorization header with a token.',
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
      this.#show(signIn);
    });
  }

  /** Handles the query of a callback. Returns false if no sign-in waits for it, or if it repeats a parameter. */
  handleCallback(query: string): boolean {
    const parameters = new URLSearchParams(query);
    const names = [...parameters.keys()];
    const resume = this.#waiting.get(parameters.get('state') ?? '');
    if (resume === undefined || new Set(names).size !== names.length) return false;
    resume(parameters);
    return true;
  }
}
