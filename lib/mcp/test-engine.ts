import type { JsonObject } from '@/lib/json/value';
import type { ConnectionError } from '@/lib/transports/transport';
import type { LifecycleEvent, ProtocolChoice, ProtocolVersion } from '@/lib/wire/lifecycle';
import type { RequestId } from '@/lib/wire/message';
import { FakeClock } from '@/lib/wire/test-clock';
import { Engine, type EngineConfig, type EngineHost } from './engine';
import type { RememberedEra } from './handshake';

/** A message as the engine sent it. */
interface SentMessage {
  readonly jsonrpc: string;
  readonly id: RequestId;
  readonly method: string;
  readonly params?: JsonObject;
}

/** A host for tests that keeps all sent messages. Time passes only when the test says so. */
export class FakeHost implements EngineHost {
  readonly clock = new FakeClock();
  readonly texts: string[] = [];
  readonly events: LifecycleEvent[] = [];
  /** Thrown by `send`, as by a transport whose server is gone. */
  gone: ConnectionError | undefined;
  respawn?: () => Promise<void>;
  fallBack?: () => Promise<void> | undefined;
  whenInitialized?: (withinMs: number) => Promise<void>;
  isClosing?: () => boolean;

  send(text: string): number {
    if (this.gone !== undefined) throw this.gone;
    return this.texts.push(text);
  }

  logEvent(event: LifecycleEvent): void {
    this.events.push(event);
  }

  /** All sent messages, parsed. */
  get sent(): SentMessage[] {
    return this.texts.map((text) => JSON.parse(text) as SentMessage);
  }

  get methods(): string[] {
    return this.sent.map(({ method }) => method);
  }

  get last(): SentMessage {
    return this.sent.at(-1)!;
  }
}

/** Resolves after all pending promise callbacks have run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/**
 * Returns an engine that has just begun its handshake. `answer` answers one of its requests and waits for the effects.
 */
export function begin(protocol: ProtocolChoice, remembered?: RememberedEra) {
  const host = new FakeHost();
  const clientInfo = { name: 'test', version: '1', title: 'Test' };
  const engine = new Engine(host, { protocol, clientInfo, capabilities: () => ({ roots: {} }), remembered });
  const opened = engine.handshake();
  opened.catch(() => {});
  const answer = (id: unknown, body: object) => {
    engine.receive(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
    return settled();
  };
  return { host, engine, opened, answer };
}

/** Resolves with the rejection of a promise. */
export function failure(promise: Promise<unknown>): Promise<{ code: string; message: string; advice: string }> {
  return promise.then(
    () => Promise.reject(new Error('it did not fail')),
    (error) => error,
  );
}

/** Returns an engine after its handshake, with the sent messages cleared. Its next id is 2. */
export async function open(protocol: ProtocolVersion = '2025-11-25', handlers?: EngineConfig['handlers']) {
  const host = new FakeHost();
  const clientInfo = { name: 'test', version: '1' };
  const engine = new Engine(host, { protocol, clientInfo, capabilities: () => ({}), handlers });
  const opened = engine.handshake();
  const result = { protocolVersion: protocol, capabilities: {}, supportedVersions: [protocol] };
  engine.receive(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  await opened;
  host.texts.length = 0;
  host.events.length = 0;
  return { host, engine };
}

/** Resolves with the value of a promise, or 'waiting' if it is still pending. */
export async function peek<T>(promise: Promise<T>): Promise<T | 'waiting'> {
  await settled();
  return Promise.race([promise, Promise.resolve('waiting' as const)]);
}
