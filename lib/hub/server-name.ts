import { parseBounded } from '@/lib/json/parse';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Frame } from '@/lib/wire/frame';
import { idKey } from '@/lib/wire/message';
import { META_KEY } from '@/lib/wire/protocol-names';
import { serverLabel } from '@/lib/wire/server-label';

/** Handshake requests whose answers are read; a client sends one or two. */
const MOST_HANDSHAKE_REQUESTS = 20;

const HANDSHAKE_METHODS: ReadonlySet<unknown> = new Set(['initialize', 'server/discover']);

/** Finds the server's own name in the handshake. Reads whole messages in order, but no skims. */
export class ServerName {
  readonly #asked = new Set<string>();
  #name: string | undefined;

  /** Returns the server's name from a whole log. */
  static in(frames: readonly Frame[]): string | undefined {
    const found = new ServerName();
    for (const frame of frames) {
      if (frame.channel === 'protocol') found.readMessage(frame);
      if (found.name !== undefined) break;
    }
    return found.name;
  }

  /** undefined until an answer has the name. */
  get name(): string | undefined {
    return this.#name;
  }

  readMessage({ direction, bytes }: Pick<Frame, 'direction' | 'bytes'>): void {
    const message = messageIn(bytes);
    if (!message || !Object.hasOwn(message, 'id')) return;
    const id = idKey(own(message, 'id'));
    if (direction === 'to-client') {
      if (this.#asked.has(id)) this.#name = nameIn(own(message, 'result'));
    } else if (this.#asked.size < MOST_HANDSHAKE_REQUESTS && HANDSHAKE_METHODS.has(own(message, 'method')))
      this.#asked.add(id);
  }
}

function messageIn(bytes: Uint8Array): JsonObject | undefined {
  try {
    const message = parseBounded(new TextDecoder().decode(bytes));
    return isObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

function nameIn(result: unknown): string | undefined {
  if (!isObject(result)) return undefined;
  const meta = own(result, '_meta');
  const info = own(result, 'serverInfo') ?? (isObject(meta) ? own(meta, META_KEY.serverInfo) : undefined);
  return isObject(info) ? serverLabel(info) : undefined;
}
