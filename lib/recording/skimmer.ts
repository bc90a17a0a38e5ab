import { parseBounded } from '@/lib/wire/bounded-json';
import { FLAG, type Frame } from '@/lib/wire/frame';
import { BYTE, isAt } from '@/lib/wire/json-bytes';
import { LIMITS } from '@/lib/wire/limits';
import { idKey, isObject, own } from '@/lib/wire/message';
import { SkimWriter } from './skim';

/** Our requests of whose answers state is made: both stay whole. */
const FOLLOWED: ReadonlySet<unknown> = new Set([
  'initialize',
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
]);

/** A skim that is not much shorter than its message is of no use. */
const WORTH = 0.75;
const ARENA_BYTES = 64 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

type Skimmed = Pick<Frame, 'channel' | 'direction' | 'flags' | 'bytes'>;

/**
 * Makes skims of a log's messages, in their order. None have what is no message, what belongs to a handshake or a list, what the server
 * asks, what asks for input, batches, pieces of over-long lines, and what would not get much shorter.
 */
export class Skimmer {
  readonly #writer = new SkimWriter();
  /** Directions in the middle of an over-long line. */
  readonly #continuing = new Set<string>();
  /** Our requests that are not answered yet, by id: how many, and whether one of them is followed. */
  readonly #open = new Map<string, { count: number; followed: boolean }>();
  #arena = new Uint8Array(ARENA_BYTES);
  #end = 0;

  /**
   * The skim of the next frame as a batch has it (wire/batch.ts); undefined if the frame has to stay whole. `isJson`: its bytes are known to
   * be JSON in UTF-8; else they are looked at. What was handed out stays as it is.
   */
  skim(frame: Skimmed, isJson: boolean): Uint8Array | undefined {
    if (frame.channel !== 'protocol' || this.#isPiece(frame)) return undefined;
    if (!isJson && !isJsonText(frame.bytes)) return undefined;
    if (this.#arena.length - this.#end < LIMITS.skimBytes) {
      this.#arena = new Uint8Array(ARENA_BYTES);
      this.#end = 0;
    }
    const arena = this.#arena;
    const start = this.#end;
    const most = start + Math.min(LIMITS.skimBytes - 1, Math.floor(WORTH * frame.bytes.length));
    const end = this.#writer.write(frame.bytes, arena, startEntry(frame.bytes.length, arena, start), most);
    if (end < 0) {
      this.#noteWhole(frame);
      return undefined;
    }
    if (this.#isNeeded(frame.direction)) return undefined;
    arena[end] = BYTE.closeArray;
    this.#end = end + 1;
    return arena.subarray(start, this.#end);
  }

  #isPiece({ direction, flags }: Skimmed): boolean {
    const piece = this.#continuing.has(direction);
    const goesOn = (flags & FLAG.continued) !== 0;
    if (goesOn) this.#continuing.add(direction);
    else this.#continuing.delete(direction);
    return piece || goesOn;
  }

  /** Of the message that was written: whether it has to stay whole all the same. */
  #isNeeded(direction: Frame['direction']): boolean {
    const writer = this.#writer;
    const hasId = writer.has('id');
    const method = writer.text('method');
    // What may be no message is shown as it is.
    if (!hasId && !writer.has('jsonrpc')) return true;
    if (method !== '') {
      if (!method.startsWith('"')) return true;
      if (!hasId) return false;
      return direction === 'to-client' || this.#asked(JSON.parse(writer.text('id')), JSON.parse(method));
    }
    if (!writer.has('result') && (!writer.has('error') || writer.text('error') === 'null')) return true;
    return direction === 'to-client' && this.#answered(hasId ? JSON.parse(writer.text('id')) : undefined);
  }

  /** Of a message that has no skim: which requests are open has to be known all the same. */
  #noteWhole({ direction, bytes }: Skimmed): void {
    const value: unknown = JSON.parse(decoder.decode(bytes));
    for (const message of Array.isArray(value) ? value : [value]) {
      if (!isObject(message) || !Object.hasOwn(message, 'id')) continue;
      const [id, method] = [own(message, 'id'), own(message, 'method')];
      if (direction === 'to-server' && typeof method === 'string') this.#asked(id, method);
      if (direction === 'to-client' && typeof method !== 'string') this.#answered(id);
    }
  }

  /** Our request was sent; true if it is followed. */
  #asked(id: unknown, method: string): boolean {
    const followed = FOLLOWED.has(method);
    const key = idKey(id);
    const open = this.#open.get(key);
    if (!open) this.#open.set(key, { count: 1, followed });
    else {
      open.count++;
      open.followed ||= followed;
    }
    return followed;
  }

  /** An answer came; true if it may be that to a request that is followed. */
  #answered(id: unknown): boolean {
    const key = idKey(id);
    const open = this.#open.get(key);
    if (!open) return false;
    if (--open.count === 0) this.#open.delete(key);
    return open.followed;
  }
}

const comparing = new SkimWriter();

/** Whether an entry of a batch is the skim of these bytes. */
export function isSkimOf(entry: Uint8Array, bytes: Uint8Array): boolean {
  const skim = new Uint8Array(entry.length);
  const end = comparing.write(bytes, skim, startEntry(bytes.length, skim, 0), skim.length - 1);
  skim[end] = BYTE.closeArray;
  return end === skim.length - 1 && isAt(entry, 0, entry.length, skim);
}

/** Writes what stands before a skim; returns where that begins. */
function startEntry(length: number, to: Uint8Array, at: number): number {
  const digits = String(length);
  to[at] = BYTE.openArray;
  for (let place = 0; place < digits.length; place++) to[at + 1 + place] = digits.charCodeAt(place);
  to[at + 1 + digits.length] = BYTE.comma;
  return at + 2 + digits.length;
}

/** A message does not stand in its line as JSON where there is white space around it. */
function isJsonText(bytes: Uint8Array): boolean {
  try {
    parseBounded(decoder.decode(bytes));
    return true;
  } catch {
    return false;
  }
}
