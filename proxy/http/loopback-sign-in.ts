import type { SignIn, SignInCallbacks } from '@/lib/auth/credentials';
import { ConnectionError } from '@/lib/transports/transport';
import type { LoopbackListener } from './loopback-listener';
import { PendingSignIns } from './sign-in-callback';

/** A desk for a run without a page of ours: it listens by itself, from the first sign-in until it is closed. */
export class LoopbackSignIn implements SignInCallbacks {
  readonly #desk: PendingSignIns;
  readonly #attended: boolean;
  #listener: Promise<LoopbackListener> | undefined;

  /** `attended`: there is somebody who could sign in, and `tell` reaches them. */
  constructor(attended: boolean, tell: (signIn: SignIn) => void) {
    this.#attended = attended;
    this.#desk = new PendingSignIns(tell);
  }

  async redirectUri(): Promise<string> {
    if (!this.#attended) {
      throw new ConnectionError({
        code: 'sign-in-impossible',
        message: 'The server wants somebody to sign in, and in CI there is nobody.',
        advice: 'Give a token: --header "Authorization: Bearer …".',
      });
    }
    // Few commands need it, so none pays for it but those.
    this.#listener ??= import('./loopback-listener')
      .then(({ listenForCallbacks }) => listenForCallbacks(this.#desk))
      .catch((error) => {
        // The next sign-in tries again.
        this.#listener = undefined;
        throw error;
      });
    this.#desk.setRoot((await this.#listener).origin);
    return this.#desk.redirectUri();
  }

  waitForCallback(signIn: SignIn, signal: AbortSignal): Promise<URLSearchParams> {
    return this.#desk.waitForCallback(signIn, signal);
  }

  /** Stops listening. */
  async close(): Promise<void> {
    (await this.#listener?.catch(() => undefined))?.close();
  }
}
