import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { SOCKET_PROTOCOL } from '@/lib/wire/api';
import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import { bareReply, sendRawReply } from './reply';

/** The WebSockets that the guard let in: how many, how large their messages, and whether anyone is still there. */
export class Sockets {
  readonly #clock: Clock;
  readonly #onSocket: (socket: WebSocket) => void;
  readonly #server = new WebSocketServer({
    noServer: true,
    // Frames are cheap to send and dear to deflate: it costs a hundred times the time of sending them.
    perMessageDeflate: false,
    maxPayload: LIMITS.commandBytes,
    maxFragments: LIMITS.commandFragments,
    maxBufferedChunks: LIMITS.commandChunks,
    // The other protocol on offer is the token: it is never echoed.
    handleProtocols: () => SOCKET_PROTOCOL,
  });

  constructor(clock: Clock, onSocket: (socket: WebSocket) => void) {
    this.#clock = clock;
    this.#onSocket = onSocket;
    this.#server.on('wsClientError', (_, socket) => sendRawReply(socket, bareReply(400)));
  }

  /** How many are open. */
  get count(): number {
    return this.#server.clients.size;
  }

  /** Finishes the upgrade, or answers 503 before it when `LIMITS.viewers` are open. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.count >= LIMITS.viewers) {
      sendRawReply(socket, bareReply(503));
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (viewer) => {
      // After a protocol violation `ws` closes the socket by itself; unheard, the error would end the process.
      viewer.on('error', () => {});
      cutWhenSilent(viewer, this.#clock);
      this.#onSocket(viewer);
    });
  }

  /** Says goodbye to all, and cuts those that do not answer in time. */
  async close(): Promise<void> {
    this.#server.close();
    const viewers = Array.from(this.#server.clients);
    const gone = viewers.map((viewer) => new Promise((resolve) => viewer.once('close', resolve)));
    for (const viewer of viewers) viewer.close(1001, 'the proxy ends');
    const cancel = this.#clock.after(LIMITS.viewerCloseMs, () => {
      for (const viewer of viewers) viewer.terminate();
    });
    await Promise.all(gone);
    cancel();
  }
}

/** Pings; terminates a viewer that left `LIMITS.heartbeatMisses` pings unanswered: its peer is gone without a word. */
function cutWhenSilent(viewer: WebSocket, clock: Clock): void {
  let unanswered = 0;
  let cancel = clock.after(LIMITS.heartbeatMs, beat);
  function beat() {
    if (unanswered >= LIMITS.heartbeatMisses) {
      viewer.terminate();
      return;
    }
    unanswered++;
    viewer.ping();
    cancel = clock.after(LIMITS.heartbeatMs, beat);
  }
  viewer.on('pong', () => {
    unanswered = 0;
  });
  viewer.on('close', () => cancel());
}
