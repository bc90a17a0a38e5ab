import { once } from 'node:events';
import { join } from 'node:path';
import { WebSocket, WebSocketServer } from 'ws';
import { MemoryStanding } from '@/lib/hub/standing-answers';
import { BatchReader, readBatchHeader } from '@/lib/wire/batch';
import { type Clock, systemClock } from '@/lib/wire/clock';
import type { Event, Target } from '@/lib/wire/command';
import type { Frame } from '@/lib/wire/frame';
import { Reaper } from '@/proxy/process/reaper';
import type { Recorder } from '@/proxy/recorder/recorder';
import type { ServerEras } from '@/proxy/recorder/server-eras';
import type { CommandConfirmation } from './command-confirmation';
import { ProxyHub, type ProxyHubOptions, type ServerUse } from './hub';
import { createTransport, lookFurther, type TransportContext } from './transports';

const HOSTILE = join(import.meta.dirname, 'fixtures/hostile-server.mjs');

/** Returns a target that runs the fixture server with one of its behaviours. */
export function hostileTarget(behaviour: string, ...parameters: string[]): Target {
  return { transport: 'stdio', command: process.execPath, args: [HOSTILE, behaviour, ...parameters] };
}

const reaper = new Reaper();

/** Opens a hub with real servers and a real WebSocket server, without the guard. */
export async function openHub(
  clock: Clock = systemClock,
  graceMs?: number,
  authorization?: TransportContext['authorization'],
  recorder?: Recorder,
  eras?: ServerEras,
  confirmation?: CommandConfirmation,
  further?: ProxyHubOptions['further'],
) {
  const uses: ServerUse[] = [];
  const hub = new ProxyHub({
    clock,
    version: '0.0.0-test',
    presets: [],
    remember: (use) => uses.push(use),
    graceMs,
    ...(authorization && { credentials: authorization.store }),
    ...(recorder && { recorder }),
    ...(eras && { eras }),
    ...(confirmation && { confirm: (launch, target) => confirmation.confirm(launch, target) }),
    standing: new MemoryStanding(),
    ...(further && { further }),
    openTransport: (launch, sink) =>
      createTransport(launch, {
        sink,
        clock: systemClock,
        reaper,
        version: '0.0.0-test',
        allowLinkLocal: false,
        ...(authorization && { authorization }),
      }),
    lookFurther: (launch, where, sink, signal) =>
      lookFurther(launch, where, { sink, clock: systemClock, version: '0.0.0-test', allowLinkLocal: false }, signal),
  });
  const door = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  door.on('connection', (socket, { socket: wire }) =>
    hub.accept(
      socket.on('error', () => {}),
      wire,
    ),
  );
  await once(door, 'listening');
  const { port } = door.address() as { port: number };
  const tabs: TestTab[] = [];
  return {
    hub,
    /** The servers to keep in the list, as the hub reported them. */
    uses,
    async tab(): Promise<TestTab> {
      const tab = new TestTab(new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false }));
      tabs.push(tab);
      await tab.until(() => tab.events.some(({ type }) => type === 'welcome'));
      return tab;
    },
    async close(): Promise<void> {
      await hub.shutdown();
      for (const { socket } of tabs) socket.terminate();
      await new Promise((resolve) => door.close(resolve));
    },
  };
}

/** A browser tab without a page: it stores what it gets and waits for more. */
export class TestTab {
  readonly frames: Frame[] = [];
  /** Frames that were requested again. */
  readonly again: Frame[] = [];
  readonly events: Event[] = [];
  readonly #reader = new BatchReader();
  readonly #againReader = new BatchReader();
  readonly #waiting = new Set<() => void>();
  closed: number | undefined;

  constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer, binary: boolean) => {
      if (binary) this.#batch(new Uint8Array(data).buffer);
      else this.events.push(JSON.parse(data.toString()) as Event);
      this.#check();
    });
    socket.on('close', (code) => {
      this.closed = code;
      this.#check();
    });
  }

  /** Returns the frames of a channel as text. */
  texts(channel: Frame['channel']): string[] {
    return this.frames.filter((frame) => frame.channel === channel).map(({ bytes }) => Buffer.from(bytes).toString());
  }

  send(command: unknown): void {
    this.socket.send(typeof command === 'string' ? command : JSON.stringify(command));
  }

  /** Sends a command and resolves with its answer. */
  async ask(command: Record<string, unknown>): Promise<Event> {
    const ref = `${command.type}-${this.events.length}-${Math.random()}`;
    this.send({ ...command, ref });
    const answer = () => this.events.find((event) => 'ref' in event && event.ref === ref);
    await this.until(() => answer() !== undefined);
    return answer()!;
  }

  /** Resolves when `condition` holds, which is checked after each message. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!condition()) return;
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
      check();
    });
  }

  /** Connects, attaches from the beginning and waits for the lifecycle event. */
  async connect(target: Target, event = 'open', protocol = 'auto'): Promise<string> {
    const done = await this.ask({ type: 'connect', target, protocol });
    if (done.type !== 'done') throw new Error(JSON.stringify(done));
    this.send({ type: 'attach', connection: done.connection, after: 0 });
    await this.lifecycle(event);
    return done.connection;
  }

  lifecycle(event: string): Promise<void> {
    return this.until(() => this.texts('lifecycle').some((text) => text.includes(`"event":"${event}"`)));
  }

  #batch(message: ArrayBuffer): void {
    if (readBatchHeader(message).again) this.again.push(...this.#againReader.read(message).frames);
    else this.frames.push(...this.#reader.read(message).frames);
  }

  #check(): void {
    for (const check of [...this.#waiting]) check();
  }
}
