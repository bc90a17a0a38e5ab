import type { WebSocket } from 'ws';
import type { Batch } from '@/lib/hub/batch-cutter';
import type { ViewerLink } from '@/lib/hub/viewer';
import type { Event } from '@/lib/wire/command';

/** A browser tab behind a WebSocket: what the socket has not passed on yet is what the tab has not taken. */
export class SocketViewer implements ViewerLink {
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  get bufferedAmount(): number {
    return this.#socket.bufferedAmount;
  }

  tell(event: Event): void {
    this.#socket.send(JSON.stringify(event));
  }

  deliver(batch: Batch, taken: () => void): void {
    this.#socket.send(batch, { binary: true }, taken);
  }

  cut(): void {
    this.#socket.terminate();
  }
}
