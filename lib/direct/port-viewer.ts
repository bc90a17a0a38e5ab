import type { Batch } from '@/lib/hub/batch-cutter';
import type { ViewerLink } from '@/lib/hub/viewer';
import type { Event } from '@/lib/wire/command';
import type { FromWorker } from '@/lib/wire/worker-message';

/** What is used of a worker's global scope, or a MessagePort. */
export interface Port {
  postMessage(message: FromWorker, transfer: Transferable[]): void;
}

/** The page as the worker sees it. A port has no end and never fills: so the page says which batches it has taken in. */
export class PortViewer implements ViewerLink {
  readonly isOpen = true;
  readonly #port: Port;
  readonly #waiting: { readonly bytes: number; readonly taken: () => void }[] = [];
  #buffered = 0;

  constructor(port: Port) {
    this.#port = port;
  }

  get bufferedAmount(): number {
    return this.#buffered;
  }

  tell(event: Event): void {
    this.#port.postMessage({ type: 'event', event }, []);
  }

  deliver(batch: Batch, taken: () => void): void {
    this.#buffered += batch.length;
    this.#waiting.push({ bytes: batch.length, taken });
    this.#port.postMessage({ type: 'batch', batch: batch.buffer }, [batch.buffer]);
  }

  /** The page has taken in the oldest batch. */
  taken(): void {
    const oldest = this.#waiting.shift();
    if (!oldest) return;
    this.#buffered -= oldest.bytes;
    oldest.taken();
  }

  cut(): void {
    // A page that takes nothing freezes with its worker; there is nobody else to serve.
  }
}
