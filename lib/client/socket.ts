import type { Clock } from '@/lib/wire/clock';
import type { Command, Event } from '@/lib/wire/command';
import { pagePath } from '@/lib/wire/page-path';

/** Pauses before a lost socket is opened again, in ms. They double from the first to the longest. */
export const RECONNECT_FIRST_MS = 250;
const RECONNECT_LONGEST_MS = 5000;

/** The used part of a WebSocket. */
export interface SocketLike {
  binaryType: string;
  onopen: (() => void) | null;
  onmessage: ((message: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  send(data: string | ArrayBuffer): void;
  close(): void;
}

/** Opens a socket with these subprotocols. */
type OpenSocket = (protocols: string[]) => SocketLike;

/** Opens the proxy's `/ws` on the page's own origin. */
export function openWebSocket(protocols: string[]): SocketLike {
  const { protocol, host } = window.location;
  return new WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}${pagePath('/ws')}`, protocols) as SocketLike;
}

/**
 * `connecting`: the first attempt. `lost`: the socket closed or did not open, and is opened again. `refused`: the proxy
 * was restarted and doesn't know our token, so another attempt is useless.
 */
export type LinkStatus = 'connecting' | 'open' | 'lost' | 'refused';

export interface SocketDeps {
  readonly token: string;
  readonly open: OpenSocket;
  readonly clock: Clock;
  /**
   * Asks the proxy, since browsers hide why a socket could not be opened. Resolves to false if the proxy did not
   * respond.
   */
  isTokenRefused(): Promise<boolean>;
}

/** Listens to a {@link Socket}. */
interface SocketListener {
  /** Called when a socket is open. Logs have to be attached again. */
  onOpen(): void;
  /** Called when the socket is lost. Commands on their way may not have arrived. */
  onDrop(): void;
  onEvent(event: Event): void;
  /** Called with a batch of frames (wire/batch). */
  onBatch(message: ArrayBuffer): void;
  onStatus(status: LinkStatus): void;
}

/** The link to the proxy: one WebSocket at a time, opened again with growing pauses when it is lost. */
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

  /** Closes the link for good. */
  stop(): void {
    this.#stopTimer?.();
    this.#letGo();
  }

  /** Sends a command. Returns false if no socket is open. */
  send(command: Command): boolean {
    if (this.#status !== 'open' || !this.#socket) return false;
    this.#socket.send(JSON.stringify(command));
    return true;
  }

  /** Sends a batch of frames. Returns false if no socket is open. */
  sendBatch(batch: ArrayBuffer): boolean {
    if (this.#status !== 'open' || !this.#socket) return false;
    this.#socket.send(batch);
    return true;
  }

  /** Replaces a socket that delivers invalid batches. */
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
    // Only an event proves that the link works. A proxy may accept each socket and drop it at once.
    if (event.type === 'welcome') this.#pauseMs = RECONNECT_FIRST_MS;
    this.#listener.onEvent(event);
  }

  #lost(wasOpen: boolean): void {
    this.#letGo();
    this.#setStatus('lost');
    this.#listener.onDrop();
    const pause = this.#pauseMs;
    this.#pauseMs = Math.min(pause * 2, RECONNECT_LONGEST_MS);
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

  /** Drops the socket with its listeners. */
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

/** The proxy may have another version, so unknown messages are ignored. */
function parseEvent(data: unknown): Event | undefined {
  try {
    const value = JSON.parse(String(data)) as Event | null;
    return typeof value?.type === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
