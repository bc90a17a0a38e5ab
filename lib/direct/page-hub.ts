import { Hub, type HubSettings, type RecordingSource } from '@/lib/hub/hub';
import type { UrlLaunch } from '@/lib/hub/url-launch';
import type { Viewer, ViewerLink } from '@/lib/hub/viewer';
import { runningDigest } from '@/lib/recording/digests';
import { blobAccess } from '@/lib/recording/large/random-access';
import { RecordingReader } from '@/lib/recording/recording-reader';
import type { Batch } from '@/lib/wire/batch';
import type { Event } from '@/lib/wire/command';
import { LIMITS } from '@/lib/wire/limits';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import type { WorkerToPage } from '@/lib/wire/worker-message';

/** The hub of one page, in the page's worker. It opens recordings; {@link DirectHub} also connects to servers. */
export class InPageHub extends Hub<UrlLaunch> {
  readonly viewer: Viewer;
  /** Files that are being opened, by `ref`. */
  readonly #opening = new Map<string, AbortController>();

  constructor(page: ViewerLink, settings: Pick<HubSettings, 'clock' | 'version'>) {
    super({ ...settings, idPrefix: 'd', graceMs: 0 });
    this.viewer = this.addViewer(page);
  }

  /** Tells the page that it may send commands. */
  begin(): void {
    this.welcome(this.viewer);
  }

  /** Opens a file as a recording and answers `ref` with its connection. Never rejects. */
  openFile(ref: string, name: string, file: Blob, onOpening: OnOpening = () => {}): Promise<void> | undefined {
    return this.openSource(ref, async () => blobSource(name, file), onOpening);
  }

  /** Opens what `find` resolves to, as {@link openFile} does. */
  protected openSource(
    ref: string,
    find: (signal: AbortSignal) => Promise<RecordingSource>,
    onOpening: OnOpening,
  ): Promise<void> | undefined {
    const opening = new AbortController();
    this.#opening.set(ref, opening);
    return this.answer(this.viewer, ref, async () => {
      const { signal } = opening;
      try {
        const { id } = await this.openRecording({ ...(await find(signal)), signal, onOpening });
        return { connection: id };
      } finally {
        this.#opening.delete(ref);
      }
    });
  }

  /** Stops opening a file. Does nothing once it is open. */
  cancelOpening(ref: string): void {
    this.#opening.get(ref)?.abort();
  }
}

/** Called with the progress of opening a file. */
export type OnOpening = (progress: ReadingProgress) => void;

export function blobSource(file: string, blob: Blob): RecordingSource {
  return {
    file,
    length: blob.size,
    // Node's types have a different stream here.
    bytes: () => blob.stream() as ReadableStream<Uint8Array<ArrayBuffer>>,
    parts: async () => blobAccess(blob),
    reader: () => new RecordingReader(runningDigest(), LIMITS.pageDigestBytes),
  };
}

/** The part of a worker's global scope, or of a MessagePort, that is used here. */
export interface Port {
  postMessage(message: WorkerToPage, transfer: Transferable[]): void;
}

/** The link from the worker to its page. A port never fills up, so the page says which batches it has processed. */
export class PortLink implements ViewerLink {
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

  sendEvent(event: Event): void {
    this.#port.postMessage({ type: 'event', event }, []);
  }

  sendBatch(batch: Batch, taken: () => void): void {
    this.#buffered += batch.length;
    this.#waiting.push({ bytes: batch.length, taken });
    this.#port.postMessage({ type: 'batch', batch: batch.buffer }, [batch.buffer]);
  }

  /** Called when the page has processed the oldest batch. */
  batchTaken(): void {
    const oldest = this.#waiting.shift();
    if (!oldest) return;
    this.#buffered -= oldest.bytes;
    oldest.taken();
  }

  terminate(): void {
    // Nothing to do: the worker serves only this page, so a page that hangs harms no other page.
  }
}
