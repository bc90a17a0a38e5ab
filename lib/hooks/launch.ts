import { useSyncExternalStore } from 'react';
import { type Client, createClient } from '@/lib/client/client';
import { type LaunchResult, launch, launchCode, linkedText } from '@/lib/client/launch';
import type { Failure } from '@/lib/wire/lifecycle';

export { requestNewLink } from '@/lib/client/launch';

/** How far the page's launch is. */
type LaunchState =
  | { readonly state: 'launching' }
  | { readonly state: 'ready'; readonly client: Client }
  /** The page has no token: the user must open a new link. */
  | { readonly state: 'no-token'; readonly failure?: Failure };

const LAUNCHING: LaunchState = { state: 'launching' };

/** Returns the state of the launch, and launches the page on first use. */
export function useLaunch(): LaunchState {
  return useSyncExternalStore(
    pageLaunch.subscribe,
    () => pageLaunch.state,
    () => LAUNCHING,
  );
}

/**
 * Launches the page once, however often React mounts it. If the proxy refuses the token, it looks for another token.
 * Until then the refused client stays, so that the page can be read.
 */
export class PageLaunch {
  readonly #launch: (refused?: string) => Promise<LaunchResult>;
  readonly #opensAlone: () => boolean;
  readonly #createClient: (token: string | undefined) => Client;
  readonly #listeners = new Set<() => void>();
  #state: LaunchState = LAUNCHING;
  #started = false;

  /** `opensAlone`: returns true if the page can show something without a proxy. */
  constructor(
    launchPage: (refused?: string) => Promise<LaunchResult>,
    create: (token: string | undefined) => Client,
    opensAlone: () => boolean = () => false,
  ) {
    this.#launch = launchPage;
    this.#createClient = create;
    this.#opensAlone = opensAlone;
  }

  get state(): LaunchState {
    return this.#state;
  }

  /** Starts on the first subscription. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (!this.#started) {
      this.#started = true;
      void this.#run();
    }
    return () => this.#listeners.delete(listener);
  };

  async #run(refused?: string): Promise<void> {
    const result = await this.#launch(refused);
    if (result.state === 'no-token') {
      // Keep the page as it is. The client's status tells the user that it was refused.
      if (refused !== undefined) return;
      if (!this.#opensAlone()) {
        this.#set(result);
        return;
      }
    }
    if (result.state !== 'ready') {
      this.#set({ state: 'ready', client: this.#createClient(undefined) });
      return;
    }
    const client = this.#createClient(result.token);
    client.subscribe(() => {
      if (client.status !== 'refused') return;
      result.forget();
      client.stop();
      void this.#run(result.token);
    });
    client.start();
    this.#set({ state: 'ready', client });
  }

  #set(state: LaunchState): void {
    this.#state = state;
    for (const listener of [...this.#listeners]) listener();
  }
}

/** The launch of this page. */
const pageLaunch = new PageLaunch(
  (refused) => {
    // A new link pasted into this tab changes only the fragment, which by itself loads nothing.
    if (refused === undefined) {
      window.addEventListener('hashchange', () => {
        const { hash } = window.location;
        if (launchCode(hash) !== undefined || linkedText(hash) !== undefined) window.location.reload();
      });
    }
    return launch(undefined, refused);
  },
  createClient,
  () => linkedText(window.location.hash) !== undefined,
);
