import type { Clock } from '@/lib/wire/clock';
import type { Era, LifecycleEvent, ProtocolChoice } from '@/lib/wire/lifecycle';
import type { JsonObject, RequestId } from '@/lib/wire/message';
import type { ClientHandlers } from './client-handler';
import type { Probing, RememberedEra } from './handshake';
import type { ClientInfo } from './modern-meta';

/** What the engine needs around it. */
export interface EngineHost {
  /** Sends one message and returns its frame's seq. May throw a ConnectionError. */
  send(text: string): number;
  lifecycle(event: LifecycleEvent): void;
  readonly clock: Clock;
  /**
   * Starts the same server again: after the engine's `end` returned true, or in the place of a process that still runs.
   * Absent: a server that exits on the probe is lost.
   */
  respawn?(): Promise<void>;
  /** How auto mode asks what the server speaks; `process` if absent. */
  probing?(): Probing;
  /** Goes over to HTTP+SSE during the handshake; undefined if that is not open. */
  fallBack?(): Promise<void> | undefined;
  /** The handshake agreed on this; what is sent from now on is of this version. */
  negotiated?(version: string, era: Era): void;
  /** Resolves when the server has taken `notifications/initialized`; rejects if the connection ends meanwhile. Absent: at once. */
  introduced?(withinMs: number): Promise<void>;
  /** Tells the server by the transport's own means that a request is given up. False: it takes a notification. */
  cancel?(id: RequestId): boolean;
}

/** How the engine introduces itself, and what it does for servers. */
export interface EngineConfig {
  readonly protocol: ProtocolChoice;
  /** The era that auto mode found for this server in an earlier run. */
  readonly remembered?: RememberedEra;
  readonly clientInfo: ClientInfo;
  /** The client capabilities that are declared in this version's words. */
  readonly capabilities: (version: string) => JsonObject;
  /** Answers what servers ask of a client, by method; `capabilities` should promise the same. */
  readonly handlers?: ClientHandlers;
  /** Modern era: how much the server may log for our requests. Absent: not at all. */
  readonly logLevel?: string;
}
