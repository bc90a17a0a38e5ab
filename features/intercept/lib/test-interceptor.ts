import type { CutStreamMessage } from '@/lib/mcp/message-interceptor';
import type { Direction } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { FakeClock } from '@/lib/wire/test-clock';
import { Interceptor } from './interceptor';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A frame of the log: an event, or a message with its channel. */
export type Logged = LifecycleEvent | readonly [channel: 'protocol' | 'intercept', direction: Direction, text: string];

/** An interceptor between two sides that only remember what they got, with its log. */
export class InterceptedLink {
  readonly clock = new FakeClock();
  readonly log: Logged[] = [];
  /** The messages that each side got, by direction. */
  readonly got: Record<Direction, string[]> = { 'to-server': [], 'to-client': [] };
  readonly cuts: (readonly [Direction, CutStreamMessage])[] = [];
  readonly routes: (readonly [Direction, string])[] = [];
  heldCount = 0;
  idles = 0;
  readonly interceptor = new Interceptor<string>({
    clock: this.clock,
    deliver: (direction, bytes, route) => {
      this.routes.push([direction, route]);
      this.#receive(direction, decoder.decode(bytes));
    },
    logWithheld: (direction, bytes) => void this.log.push(['protocol', direction, decoder.decode(bytes)]),
    logOriginal: (direction, bytes) => void this.log.push(['intercept', direction, decoder.decode(bytes)]),
    log: (event) => void this.log.push(event),
    cut: (direction, _route, message) => void this.cuts.push([direction, message]),
    methodOf: (direction, id) => (direction === 'to-server' && id === 99 ? 'tools/call' : undefined),
    onHeldChange: (count) => {
      this.heldCount = count;
    },
    onIdle: () => void this.idles++,
    announce: (bytes) => this.#receive('to-client', decoder.decode(bytes)),
  });

  send(direction: Direction, message: unknown, route = 'main'): void {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    if (this.interceptor.onMessage(direction, encoder.encode(text), route) === 'pass') this.#receive(direction, text);
  }

  call(id: number | string, name = 'echo', meta?: object): void {
    this.send('to-server', request(id, 'tools/call', { name, ...(meta && { _meta: meta }) }));
  }

  answer(id: number | string, result: object = { content: [] }): void {
    this.send('to-client', { jsonrpc: '2.0', id, result });
  }

  /** The events with these names, in order. */
  events<E extends LifecycleEvent['event']>(...names: E[]): Extract<LifecycleEvent, { event: E }>[] {
    return this.log.filter((item): item is Extract<LifecycleEvent, { event: E }> => {
      return 'event' in item && (names as string[]).includes(item.event);
    });
  }

  /** The newest frames of the log, without the events of rules. */
  newest(count: number): readonly Logged[] {
    return this.log.slice(-count);
  }

  #receive(direction: Direction, text: string): void {
    this.log.push(['protocol', direction, text]);
    this.got[direction].push(text);
  }
}

export function request(id: number | string, method: string, params?: object): object {
  return { jsonrpc: '2.0', id, method, ...(params && { params }) };
}
