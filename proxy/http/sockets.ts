import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { SOCKET_PROTOCOL } from '@/lib/wire/api';
import type { Clock } from '@/lib/wire/clock';
import { bareReply, sendRawReply } from './reply';

/** Open browser tabs at a time. Further ones get a 503. */
export const VIEWERS = 8;
/** Longest message from a browser in bytes. A longer one closes the socket with 1009. */
export const COMMAND_BYTES = 4 * 1024 * 1024;
/** Fragments of one message, and chunks it may arrive in. More close the socket with 1008. */
const COMMAND_FRAGMENTS = 1024;
export const COMMAND_CHUNKS = 16 * 1024;
/**
 * Milliseconds between pings. A socket is cut at the next ping after HEARTBEAT_MISSES unanswered ones: after 9 s at
 * most.
 */
export const HEARTBEAT_MS = 3000;
export const HEARTBEAT_MISSES = 2;
/** Milliseconds that browsers have to answer the close when the proxy ends. */
export const VIEWER_CLOSE_MS = 500;

/** The WebSockets that passed the guard. Bounds their number and their messages, and cuts dead ones. */
export class Sockets {
  readonly #clock: Clock;
  readonly #onSocket: (socket: WebSocket, wire: Duplex) => void;
  readonly #server = new WebSocketServer({
    noServer: true,
    // Compressing frames takes a hundred times as long as sending them.
    perMessageDeflate: false,
    maxPayload: COMMAND_BYTES,
    maxFragments: COMMAND_FRAGMENTS,
    maxBufferedChunks: COMMAND_CHUNKS,
    // The other offered protocol is the token, which must not be echoed.
    handleProtocols: () => SOCKET_PROTOCOL,
  });

  constructor(clock: Clock, onSocket: (socket: WebSocket, wire: Duplex) => void) {
    this.#clock = clock;
    this.#onSocket = onSocket;
    this.#server.on('wsClientError', (_, socket) => sendRawReply(socket, bareReply(400)));
  }

  /** Number of open sockets. */
  get count(): number {
    return this.#server.clients.size;
  }

  /** Finishes the upgrade, or answers 503 before it when `VIEWERS` are open. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.count >= VIEWERS) {
      sendRawReply(socket, bareReply(503));
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (viewer) => {
      // `ws` closes the socket after a protocol violation. Without a listener the error would end the process.
      viewer.on('error', () => {});
      cutWhenSilent(viewer, this.#clock);
      this.#onSocket(viewer, socket);
    });
  }

  /** Closes all sockets, and cuts those that do not answer in time. */
  async close(): Promise<void> {
    this.#server.close();
    const viewers = Array.from(this.#server.clients);
    const gone = viewers.map((viewer) => new Promise((resolve) => viewer.once('close', resolve)));
    for (const viewer of viewers) viewer.close(1001, 'the proxy ends');
    const cancel = this.#clock.after(VIEWER_CLOSE_MS, () => {
      for (const viewer of viewers) viewer.terminate();
    });
    await Promise.all(gone);
    cancel();
  }
}

/** Pings a browser, and cuts it after `HEARTBEAT_MISSES` unanswered pings: it is gone without closing. */
function cutWhenSilent(viewer: WebSocket, clock: Clock): void {
  let unanswered = 0;
  let cancel = clock.after(HEARTBEAT_MS, beat);
  function beat() {
    if (unanswered >= HEARTBEAT_MISSES) {
      viewer.terminate();
      return;
    }
    unanswered++;
    viewer.ping();
    cancel = clock.after(HEARTBEAT_MS, beat);
  }
  viewer.on('pong', () => {
    unanswered = 0;
  });
  viewer.on('close', () => cancel());
}
