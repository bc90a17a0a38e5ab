import type { RawData, WebSocket } from 'ws';
import { refOf } from '@/lib/hub/commands';
import type { Viewer } from '@/lib/hub/viewer';
import type { Clock } from '@/lib/wire/clock';
import type { Command } from '@/lib/wire/command';
import { LIMITS } from '@/lib/wire/limits';
import { parseCommand } from './parse-command';
import { RateLimit } from './rate-limit';

/** What comes of what a viewer sends. */
export interface InboundHost {
  readonly clock: Clock;
  /** Carries out a command, and answers it. */
  carryOut(command: Command): void;
  /** Takes a batch of frames. False if it is none. */
  takeBatch(message: ArrayBuffer): boolean;
}

/** Hears what a socket's page sends, so often and so sound as is allowed; one that goes on sending nonsense is closed. */
export function hearSocket(socket: WebSocket, viewer: Viewer, host: InboundHost): void {
  const rate = new RateLimit(host.clock, LIMITS.commandsPerSecond);
  let malformed = 0;
  /** Carries out what a text says, and answers it. False if it is no command. */
  const command = (text: string): boolean => {
    const parsed = parseCommand(text);
    const allowed = rate.take();
    if (!allowed) viewer.tell({ ...RATE_LIMITED, ref: parsed && refOf(parsed) });
    else if (parsed) host.carryOut(parsed);
    else viewer.tell({ ...MALFORMED, ref: refIn(text) });
    return parsed !== undefined;
  };
  socket.on('message', (data, binary) => {
    if (socket.readyState !== socket.OPEN) return;
    const isSound = binary ? host.takeBatch(bufferOf(data)) : command(data.toString());
    malformed = isSound ? 0 : malformed + 1;
    if (malformed >= LIMITS.malformedCommands) socket.close(1008, 'malformed commands');
  });
}

/** A message of a socket's in a buffer of its own. */
function bufferOf(data: RawData): ArrayBuffer {
  const whole = Array.isArray(data) ? Buffer.concat(data) : data;
  return Uint8Array.from(whole instanceof ArrayBuffer ? new Uint8Array(whole) : whole).buffer;
}

/** Of a malformed command: its sender waits for an answer all the same. */
function refIn(text: string): string | undefined {
  try {
    const ref: unknown = JSON.parse(text)?.ref;
    return typeof ref === 'string' ? ref.slice(0, LIMITS.refChars) : undefined;
  } catch {
    return undefined;
  }
}

const MALFORMED = {
  type: 'error',
  code: 'malformed-command',
  message: 'The proxy was sent something that is not a command.',
  advice: 'Check what was typed, or reload the page: it may be older than the proxy.',
} as const;

const RATE_LIMITED = {
  type: 'error',
  code: 'rate-limited',
  message: `More than ${LIMITS.commandsPerSecond} commands came in a second.`,
  advice: 'Send it again, more slowly.',
} as const;
