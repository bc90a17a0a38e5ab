import type { ChatRequest } from '@/lib/chat/chat-api';
import type { Connection } from '@/lib/hub/connection';
import type { Launch } from '@/proxy/connection/launch';
import type { ChatLog } from './chat-log';
import type { Chats } from './chats';

/** The chats of the page. Their code is loaded when the page first asks for something. */
export class LazyChats {
  readonly #load: () => Promise<Chats>;
  #loading: Promise<Chats> | undefined;
  #loaded: Chats | undefined;

  constructor(load: () => Promise<Chats>) {
    this.#load = load;
  }

  get(id: string): ChatLog | undefined {
    return this.#loaded?.get(id);
  }

  inboxChanged(connection: Connection<Launch>): void {
    this.#loaded?.inboxChanged(connection);
  }

  /** Carries out a request of the page. Rejects with a Failure. */
  async run(request: ChatRequest): Promise<unknown> {
    this.#loading ??= this.#load();
    this.#loaded = await this.#loading;
    return this.#loaded.run(request);
  }

  async close(): Promise<void> {
    await this.#loaded?.close();
  }
}
