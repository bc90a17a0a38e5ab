import { SERVER_INFO_KEY } from '@/lib/mcp/modern-meta';
import { parseBounded } from '@/lib/wire/bounded-json';
import type { Frame } from '@/lib/wire/frame';
import { idKey, isObject, type JsonObject, own } from '@/lib/wire/message';

/** Characters of a name, for lists. */
const MOST = 200;
/** Requests whose answers are waited for: a client asks once or twice. */
const MOST_ASKED = 20;

const ASKS: ReadonlySet<unknown> = new Set(['initialize', 'server/discover']);

/** What a server calls itself in its answer to a handshake, of the messages up to there, in order; skims are messages that are none of it. */
export class ServerName {
  readonly #asked = new Set<string>();
  #name: string | undefined;

  /** undefined as long as no answer says one. */
  get name(): string | undefined {
    return this.#name;
  }

  take({ direction, bytes }: Pick<Frame, 'direction' | 'bytes'>): void {
    const message = messageIn(bytes);
    if (!message || !Object.hasOwn(message, 'id')) return;
    const id = idKey(own(message, 'id'));
    if (direction === 'to-client') {
      if (this.#asked.has(id)) this.#name = nameIn(own(message, 'result'));
    } else if (this.#asked.size < MOST_ASKED && ASKS.has(own(message, 'method'))) this.#asked.add(id);
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
  const info = own(result, 'serverInfo') ?? (isObject(meta) ? own(meta, SERVER_INFO_KEY) : undefined);
  const name = isObject(info) ? own(info, 'name') : undefined;
  return typeof name === 'string' && name !== '' ? name.slice(0, MOST) : undefined;
}
