import { vi } from 'vitest';
import { BATCH_ENTRY_BYTES, channelCode, encodeBatchHeader, setBatchPart, writeBatchEntry } from '@/lib/wire/batch';
import type { Command, Event } from '@/lib/wire/command';
import { DIRECTIONS, type Frame } from '@/lib/wire/frame';
import { FakeClock } from '@/lib/wire/test-clock';
import { Api } from './api';
import { Client } from './client';
import { DirectLink } from './direct-link';
import type { DrawingPace } from './log-feed';
import type { SocketLike } from './socket';

/** A started client with a proxy, clock and animation frame that the test controls. HTTP responds with `status`. */
export function setUpClient(status = 200) {
  const proxy = new TestProxy();
  const clock = new FakeClock();
  const paints: { readonly run: () => void; readonly pace: DrawingPace }[] = [];
  const fetch = vi.fn(async () => new Response('{}', { status }));
  const client = new Client({
    proxy: { token: 'secret', api: new Api('secret', fetch), open: proxy.open, clock },
    direct: noDirectLink(),
    paint: (run, pace) => paints.push({ run, pace }),
  });
  client.start();
  const paintAll = () => {
    for (const { run } of paints.splice(0)) run();
  };
  return { proxy, clock, client, paints, paintAll, fetch };
}

/** A link to direct connections that are never used. */
export function noDirectLink(): DirectLink {
  const spawn = () => {
    throw new Error('There is no worker in this test.');
  };
  return new DirectLink({ spawn, tabKey: () => undefined, mayHaveKept: () => false, decided: new Set() });
}

/** Lets pending promises settle. */
export const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The proxy's end of one socket. */
export class TestSocket implements SocketLike {
  binaryType = '';
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  closed = false;
  readonly protocols: readonly string[];
  readonly received: Command[] = [];

  constructor(protocols: readonly string[]) {
    this.protocols = protocols;
  }

  send(text: string): void {
    if (!this.closed) this.received.push(JSON.parse(text) as Command);
  }

  close(): void {
    this.closed = true;
  }

  /** Opens the socket and sends `welcome`. */
  accept(): void {
    this.onopen?.();
    this.tell({ type: 'welcome', version: '0.0.0', graceMs: 1 });
  }

  tell(event: Event): void {
    this.onmessage?.({ data: JSON.stringify(event) });
  }

  deliver(batch: ArrayBuffer): void {
    this.onmessage?.({ data: batch });
  }

  /** Breaks the link. */
  drop(): void {
    this.closed = true;
    this.onclose?.();
  }

  /** Returns the messages of one type that the page sent. */
  sent<T extends Command['type']>(type: T): Extract<Command, { type: T }>[] {
    return this.received.filter((command) => command.type === type) as Extract<Command, { type: T }>[];
  }
}

/** Opens sockets for a client and remembers them. */
export class TestProxy {
  readonly sockets: TestSocket[] = [];

  readonly open = (protocols: string[]): TestSocket => {
    const socket = new TestSocket(protocols);
    this.sockets.push(socket);
    return socket;
  };

  /** The newest socket. */
  get socket(): TestSocket {
    return this.sockets.at(-1)!;
  }
}

/** The byte after each frame's bytes. */
const LINE_FEED = new Uint8Array([10]);

/**
 * Makes a batch of whole frames. `part`: only these bytes of the last frame are in it; `more`: the next batch continues
 * it.
 */
export function batchOf(
  connection: string,
  frames: readonly Frame[],
  last: number,
  part?: { readonly from: number; readonly to: number; readonly more: boolean },
): ArrayBuffer {
  const pieces = frames.map(({ bytes }) => bytes);
  if (part) pieces.push(pieces.pop()!.subarray(part.from, part.to));
  const header = encodeBatchHeader({ connection, first: frames[0]!.seq, count: frames.length, last });
  const table = new DataView(new ArrayBuffer(frames.length * BATCH_ENTRY_BYTES));
  frames.forEach(({ time, direction, channel, flags }, index) => {
    const [to, on] = [DIRECTIONS.indexOf(direction), channelCode(channel)];
    writeBatchEntry(table, index * BATCH_ENTRY_BYTES, time, pieces[index]!.length, to, on, flags);
  });
  if (part) setBatchPart(table, (frames.length - 1) * BATCH_ENTRY_BYTES, part.to - part.from, part.more);
  const parts = [header, new Uint8Array(table.buffer), ...pieces.flatMap((bytes) => [bytes, LINE_FEED])];
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const bytes of parts) {
    whole.set(bytes, at);
    at += bytes.length;
  }
  return whole.buffer;
}
