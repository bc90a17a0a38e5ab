import type { Direction } from '@/lib/wire/frame';
import type { ControlPeer, ControlServer } from './control-server';
import type { RuledStreams, TapInterception } from './interception';

/**
 * The way for rules into a tap. It loads what they need once somebody sets some, because a tap that only passes bytes
 * starts in a hurry and is small.
 */
export class TapControl {
  readonly #intercepted: RuledStreams;
  #loading: Promise<TapInterception> | undefined;
  #interception: TapInterception | undefined;
  #server: ControlServer | undefined;
  #isClosed = false;

  /** `interception`: already loaded, for rules that are given from the start. */
  constructor(intercepted: RuledStreams, interception: TapInterception | undefined) {
    this.#intercepted = intercepted;
    this.#interception = interception;
    if (interception) this.#loading = Promise.resolve(interception);
  }

  /** Lets pages set rules. Without a socket, nobody can, and the session goes on. Never rejects. */
  async listen(recordings: string, session: string): Promise<void> {
    try {
      const { ControlServer } = await import('./control-server');
      if (this.#isClosed) return;
      const server = await ControlServer.start(recordings, session, () => this.#newPeer());
      if (this.#isClosed) server.close();
      else this.#server = server;
    } catch {
      // A page that wants to set rules says that the tap can't be reached.
    }
  }

  #load(): Promise<TapInterception> {
    this.#loading ??= import('./interception').then(({ TapInterception }) => {
      this.#interception = new TapInterception(this.#intercepted);
      return this.#interception;
    });
    return this.#loading;
  }

  /** Passes the end of a direction on, after everything that waits. Idempotent. */
  end(direction: Direction): void {
    this.#interception?.end(direction);
    this.#intercepted.passages[direction].end();
  }

  /** Stops listening, and deletes the files for it. */
  close(): void {
    this.#isClosed = true;
    this.#server?.close();
  }

  #newPeer(): ControlPeer {
    const owner = {};
    let isGone = false;
    return {
      request: async (asked) => {
        const interception = await this.#load();
        return isGone ? undefined : interception.request(owner, asked);
      },
      gone: () => {
        isGone = true;
        // At the end, nothing is held any more.
        if (!this.#isClosed) this.#interception?.removeOwner(owner);
      },
    };
  }
}
