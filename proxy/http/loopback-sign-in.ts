import type { SignIn, SignInCallbacks } from '@/lib/auth/credentials';
import { ConnectionError } from '@/lib/transports/transport';
import type { LoopbackListener } from './loopback-listener';
import { PendingSignIns } from './pending-sign-ins';

/** Receives sign-in callbacks for a run without a page of ours. Listens from the first sign-in until it is closed. */
export class LoopbackSignIn implements SignInCallbacks {
  readonly #pending: PendingSignIns;
  readonly #attended: boolean;
  #listener: Promise<LoopbackListener> | undefined;

  /** `attended`: a person is there to sign in. `show`: shows them where. */
  constructor(attended: boolean, show: (signIn: SignIn) => void) {
    this.#attended = attended;
    this.#pending = new PendingSignIns(show);
  }

  async redirectUri(): Promise<string> {
    if (!this.#attended) {
      throw new ConnectionError({
        code: 'sign-in-impossible',
        message: 'The server requires a sign-in, which is not possible in CI.',
        advice: 'Add a token: --header "Authorization: Bearer …".',
      });
    }
    // Loaded here because few commands need it.
    this.#listener ??= import('./loopback-listener')
      .then(({ listenForCallbacks }) => listenForCallbacks(this.#pending))
      .catch((error) => {
        // The next sign-in tries again.
        this.#listener = undefined;
        throw error;
      });
    this.#pending.setRoot((await this.#listener).origin);
    return this.#pending.redirectUri();
  }

  waitForCallback(signIn: SignIn, signal: AbortSignal): Promise<URLSearchParams> {
    return this.#pending.waitForCallback(signIn, signal);
  }

  /** Stops listening. */
  async close(): Promise<void> {
    (await this.#listener?.catch(() => undefined))?.close();
  }
}
