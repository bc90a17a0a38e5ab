import type { Direction } from '@/lib/wire/frame';
import { SeenHandshake } from '../handshake';
import type { HostResponse } from './host-response';
import type { SessionRules } from './session-rules';
import type { Found } from './sessions';

/** A session whose messages pass. */
export class PassingSession implements Found {
  readonly name: string;
  isOpen = false;
  hasEndpoint = false;
  /** The path and query to which its messages are posted (HTTP+SSE). */
  endpoint: string | undefined;
  rules: SessionRules | undefined;
  /** Event streams that no request waits for, the newest last. */
  readonly streams = new Set<HostResponse>();
  readonly #handshake = new SeenHandshake();

  constructor(name: string) {
    this.name = name;
  }

  /** The stream for messages that belong to no request. */
  get stream(): HostResponse | undefined {
    return [...this.streams].at(-1);
  }

  /** Notes a message that passes. */
  onMessage(direction: Direction, bytes: Uint8Array): void {
    if (!this.isOpen && !this.#handshake.isOver && this.#handshake.readMessage(direction, bytes)) this.isOpen = true;
  }
}
