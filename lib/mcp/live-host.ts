import type { HttpSink, Transport, TransportEnd, Unanswered } from '@/lib/transports/transport';
import type { Target } from '@/lib/wire/command';
import type { ConnectionState, Failure, LifecycleEvent } from '@/lib/wire/lifecycle';
import type { RequestId } from '@/lib/wire/message';
import type { EngineConfig } from './engine-host';
import type { RememberedEra } from './handshake';
import type { TapHost } from './tap';

/** How a server is reached. `auto`: by the first of the HTTP transports that it speaks. */
export type TransportKind = Target['transport'];

/** Why a connection is being ended. */
export type CloseReason = Extract<LifecycleEvent, { event: 'closing' }>['reason'];

/** What kind of connection it is. */
export interface LiveConfig extends Omit<EngineConfig, 'logLevel'> {
  readonly kind: TransportKind;
  /** All lists of the server are read after the handshake, and again after changes, which are subscribed to. */
  readonly inventory: boolean;
  /** Tries again to reach a server at a URL while the connection is open. Absent: requests fail at once. */
  readonly reconnects?: true;
  /** Keeps the transport open after a failed handshake, if it can, for hand-written messages. Absent: closes it. */
  readonly keepsUnopened?: true;
}

/** Where a connection lives: the proxy, the command line, or the page itself. */
export interface LiveHost extends TapHost {
  openTransport(kind: TransportKind, sink: HttpSink): Transport;
  /** State, transport or what was negotiated changed. */
  changed?(): void;
  /** Called when auto mode found the era of this server or dropped it. Not called for a version that the user chose. */
  eraFound?(remembered: RememberedEra | undefined): void;
  /** See {@link HttpSink.masked}. */
  masked?: HttpSink['masked'];
  /** See {@link HttpSink.secrets}. */
  secrets?: HttpSink['secrets'];
  /** How the end of a server's process is told. */
  exitFailure?(state: ConnectionState, end: TransportEnd): Failure;
  /** Sees each message before the engine acts on it. */
  message?(text: string): void;
  /** True while an answer to a message that was sent as raw text is waited for. */
  awaits?(id: RequestId): boolean;
  /** No answer to such a message can come any more. */
  unanswered?(id: RequestId, why: Unanswered): void;
}
