import type { Clock } from '@/lib/wire/clock';
import type { Command, Event } from '@/lib/wire/command';
import { pagePath } from '@/lib/wire/page-path';

/** Wait before a lost socket is opened again: the first, and the longest after doubling. */
export const RECONNECT_FIRST_MS = 250;
const RECONNECT_LAST_MS = 5000;

/** What is used of a WebSocket. */
export interface SocketLike {
  binaryType: string;
  onopen: (() => void) | null;
  onmessage: ((message: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  send(data: string | ArrayBuffer): void;
  close(): void;
}

/** Opens one socket with these subprotocols. */
export type OpenSocket = (protocols: string[]) => SocketLike;

/** The real thing: the proxy's `/ws` on the page's own origin. */
export function openWebSocket(protocols: string[]): SocketLike {
  const { protocol, host } = window.location;
  return new WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}${pagePath('/ws')}`, protocols) as SocketLike;
}

/**
 * `connecting`: the first attempt. `lost`: it was open or could not be opened, and is tried again. `refused`: the proxy doesn't
 * know our token (it was started anew), so trying on is of no use.
 */
export type LinkStatus = 'connecting' | 'open' | 'lost' | 'refused';

export interface SocketDeps {
  readonly token: string;
  readonly open: OpenSocket;
  readonly clock: Clock;
  /** Asked when a socket could not be opened, since a browser doesn't say why. False if the proxy didn't answer at all. */
  isTokenRefused(): Promise<boolean>;
}

/** What a {@link Socket} tells. */
export interface SocketListener {
  /** A socket is open. What was attached on the last one is not on this one. */
  onOpen(): void;
  /** The socket is gone, and what was sent on it may not have arrived. */
  onDrop(): void;
  onEvent(event: Event): void;
  /** A batch of frames (wire/batch). */
  onBatch(message: ArrayBuffer): void;
  onStatus(status: LinkStatus): void;
}

/** The link to the proxy: one WebSocket at a time, opened again whenever it is lost, with growing pauses. */
export class Socket {
  readonly #deps: SocketDeps;
  readonly #listener: SocketListener;
  #socket: SocketLike | undefined;
  #status: LinkStatus = 'connecting';
  #pauseMs: number = RECONNECT_FIRST_MS;
  #stopTimer: (() => void) | undefined;
  #started = false;

  constructor(deps: SocketDeps, listener: SocketListener) {
    this.#deps = deps;
    this.#listener = listener;
  }

  get status(): LinkStatus {
    return this.#status;
  }

  /** Opens the first socket. Idempotent. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#open();
  }

  /** Ends the link for good. */
  stop(): void {
    this.#stopTimer?.();
    this.#letGo();
  }

  /** Sends a command; false if there is no open socket. */
  send(command: Command): boolean {
    if (this.#status !== 'open' || !this.#socket) return false;
    this.#socket.send(JSON.stringify(command));
    return true;
  }

  /** Sends a batch of frames; false if there is no open socket. */
  sendBatch(batch: ArrayBuffer): boolean {
    if (this.#status !== 'open' || !this.#socket) return false;
    this.#socket.send(batch);
    return true;
  }

  /** Gives up this socket for a new one: what it delivers makes no sense. */
  reset(): void {
    this.#lost(this.#status === 'open');
  }

  #open(): void {
    const socket = this.#deps.open(['mcp-inspect.1', `bearer.${this.#deps.token}`]);
    let opened = false;
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      opened = true;
      this.#setStatus('open');
      this.#listener.onOpen();
    };
    socket.onmessage = ({ data }) => this.#message(data);
    socket.onclose = () => this.#lost(opened);
  }

  #message(data: unknown): void {
    if (data instanceof ArrayBuffer) {
      this.#listener.onBatch(data);
      return;
    }
    const event = parseEvent(data);
    if (!event) return;
    // Only a proxy that speaks proves the link good: one that accepts and drops must not be asked four times a second.
    if (event.type === 'welcome') this.#pauseMs = RECONNECT_FIRST_MS;
    this.#listener.onEvent(event);
  }

  #lost(wasOpen: boolean): void {
    this.#letGo();
    this.#setStatus('lost');
    this.#listener.onDrop();
    const pause = this.#pauseMs;
    this.#pauseMs = Math.min(pause * 2, RECONNECT_LAST_MS);
    this.#stopTimer = this.#deps.clock.after(pause, () => void this.#again(wasOpen));
  }

  async #again(wasOpen: boolean): Promise<void> {
    let stopped = false;
    this.#stopTimer = () => {
      stopped = true;
    };
    const refused = !wasOpen && (await this.#deps.isTokenRefused().catch(() => false));
    if (stopped) return;
    if (refused) this.#setStatus('refused');
    else this.#open();
  }

  /** A socket let go says nothing more to us. */
  #letGo(): void {
    const socket = this.#socket;
    if (!socket) return;
    this.#socket = undefined;
    socket.onopen = null;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }

  #setStatus(status: LinkStatus): void {
    if (this.#status === status) return;
    this.#status = status;
    this.#listener.onStatus(status);
  }
}

/** The proxy is ours, but may be of another version: what isn't an event is left alone. */
function parseEvent(data: unknown): Event | undefined {
  try {
    const value = JSON.parse(String(data)) as Event | null;
    return typeof value?.type === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
