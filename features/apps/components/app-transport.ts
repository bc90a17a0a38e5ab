import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { type AppNotice, readAppNotice } from '@/features/apps/lib/app-notices';
import { isObject } from '@/lib/json/value';
import type { Direction } from '@/lib/wire/frame';

/** Characters of the longest message. A longer one ends the app: its frame would not fit into the log. */
const MESSAGE_CHARS = 4 * 1024 * 1024;
/** Messages, and their characters, that an app may post in a second. A flood would fill the log, and ends the app. */
const MESSAGES_PER_SECOND = 500;
const CHARS_PER_SECOND = 16 * 1024 * 1024;
/** The frame of a message that JSON can't hold, such as a cyclic one. */
const NOT_JSON = JSON.stringify('(a message that JSON can’t hold)');
const INVALID_REQUEST = -32600;

/** Callbacks of the transport to its owner. */
interface AppTransportEvents {
  /** Logs a message. */
  log(direction: Direction, text: string): void;
  /** The app was cut off, as the sentence says. */
  onFlood(sentence: string): void;
  /** The frame reports a blocked request or an error. */
  onNotice(notice: AppNotice): void;
}

/**
 * Carries messages between the page and the frame of one app, and logs each. Only that frame is listened to: its
 * origin is opaque, so its window is what identifies it.
 */
export class AppTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #app: Window;
  readonly #events: AppTransportEvents;
  #second = 0;
  #inSecond = 0;
  #chars = 0;
  #isClosed = false;

  constructor(app: Window, events: AppTransportEvents) {
    this.#app = app;
    this.#events = events;
  }

  async start(): Promise<void> {
    window.addEventListener('message', this.#onMessage);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    this.#events.log('to-client', JSON.stringify(message));
    // The frame has an opaque origin, which can't be named.
    this.#app.postMessage(message, '*');
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    window.removeEventListener('message', this.#onMessage);
    this.onclose?.();
  }

  readonly #onMessage = ({ source, data, timeStamp }: MessageEvent<unknown>): void => {
    if (source !== this.#app || this.#isClosed) return;
    const second = Math.floor(timeStamp / 1000);
    if (second !== this.#second) [this.#second, this.#inSecond, this.#chars] = [second, 0, 0];
    const text = textOf(data);
    this.#inSecond++;
    this.#chars += text.length;
    if (this.#inSecond > MESSAGES_PER_SECOND || this.#chars > CHARS_PER_SECOND)
      this.#cutOff('The app posted too many messages, so it was stopped.');
    else if (text.length > MESSAGE_CHARS) this.#cutOff('The app posted a message over 4 MiB, so it was stopped.');
    if (this.#isClosed) return;
    this.#events.log('to-server', text);
    if (text === NOT_JSON) this.#refuse(data);
    if (!isObject(data) || data.jsonrpc !== '2.0' || text === NOT_JSON) return;
    // The host gets what the log has: `data` may hold more than JSON can.
    const message: unknown = JSON.parse(text);
    const notice = readAppNotice(message);
    if (notice) this.#events.onNotice(notice);
    else this.onmessage?.(message as JSONRPCMessage);
  };

  /** Answers a request that JSON can't hold, so that the app does not wait for it. */
  #refuse(data: unknown): void {
    const id = isObject(data) && data.method !== undefined ? data.id : undefined;
    if (typeof id !== 'string' && typeof id !== 'number') return;
    const error = { code: INVALID_REQUEST, message: 'The message can’t be written as JSON.' };
    void this.send({ jsonrpc: '2.0', id, error });
  }

  #cutOff(sentence: string): void {
    void this.close();
    this.#events.onFlood(sentence);
  }
}

function textOf(data: unknown): string {
  try {
    return JSON.stringify(data) ?? NOT_JSON;
  } catch {
    return NOT_JSON;
  }
}
