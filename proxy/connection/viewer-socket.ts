import type { RawData, WebSocket } from 'ws';
import { refOf } from '@/lib/hub/hub';
import type { Viewer } from '@/lib/hub/viewer';
import type { Clock } from '@/lib/wire/clock';
import type { Command } from '@/lib/wire/command';
import { parseCommand, REF_CHARS } from '@/lib/wire/parse-command';
import type { SocketLink } from './socket-link';

/** Commands a viewer may send a second on average, and in one burst: more than a person or a panel ever needs. */
export const COMMANDS_PER_SECOND = 200;
/** Malformed commands in a row after which the socket is closed with 1008: such a page is broken or hostile. */
export const MALFORMED_COMMANDS = 20;

/** Handles what a viewer sends. */
interface SocketHost {
  readonly clock: Clock;
  /** Runs a command and answers it. */
  runCommand(command: Command): void;
  /** Handles a batch of frames. Returns false if it is invalid. */
  addBatch(message: ArrayBuffer): boolean;
}

/** Reads a viewer's messages, limits their rate, and closes a socket that keeps sending nonsense. */
export function readSocket(socket: WebSocket, link: SocketLink, viewer: Viewer, host: SocketHost): void {
  const rate = new RateLimit(host.clock, COMMANDS_PER_SECOND);
  let malformed = 0;
  /** Runs a text message and answers it. Returns false if it is not a command. */
  const command = (text: string): boolean => {
    const parsed = parseCommand(text);
    const allowed = rate.tryAcquire();
    if (!allowed) viewer.sendEvent({ ...RATE_LIMITED, ref: parsed && refOf(parsed) });
    else if (parsed) host.runCommand(parsed);
    else viewer.sendEvent({ ...MALFORMED, ref: refIn(text) });
    return parsed !== undefined;
  };
  socket.on('message', (data, binary) => {
    if (socket.readyState !== socket.OPEN) return;
    link.runCommand(() => {
      const isSound = binary ? host.addBatch(bufferOf(data)) : command(data.toString());
      malformed = isSound ? 0 : malformed + 1;
    });
    if (malformed >= MALFORMED_COMMANDS) socket.close(1008, 'malformed commands');
  });
}

/** Copies a socket's message to a buffer of its own. */
function bufferOf(data: RawData): ArrayBuffer {
  const whole = Array.isArray(data) ? Buffer.concat(data) : data;
  return Uint8Array.from(whole instanceof ArrayBuffer ? new Uint8Array(whole) : whole).buffer;
}

/** Returns the `ref` of a malformed command, since its sender waits for an answer too. */
function refIn(text: string): string | undefined {
  try {
    const ref: unknown = JSON.parse(text)?.ref;
    return typeof ref === 'string' ? ref.slice(0, REF_CHARS) : undefined;
  } catch {
    return undefined;
  }
}

const MALFORMED = {
  type: 'error',
  code: 'malformed-command',
  message: 'The proxy received something that is not a command.',
  advice: 'Check your input, or reload the page: it may be older than the proxy.',
} as const;

const RATE_LIMITED = {
  type: 'error',
  code: 'rate-limited',
  message: `The proxy received more than ${COMMANDS_PER_SECOND} commands in a second.`,
  advice: 'Send it again, more slowly.',
} as const;

/** A token bucket: `perSecond` on average, and in one burst. */
export class RateLimit {
  readonly #clock: Clock;
  readonly #perSecond: number;
  #tokens: number;
  #at: number;

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#tokens = perSecond;
    this.#at = clock.now();
  }

  /** Returns false above the rate. */
  tryAcquire(): boolean {
    const now = this.#clock.now();
    this.#tokens = Math.min(this.#perSecond, this.#tokens + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
