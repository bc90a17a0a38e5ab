import type { RequestId } from '@/lib/json/value';
import { capabilitiesFor } from '@/lib/mcp/answering';
import { negotiatedSummary, type RememberedEra } from '@/lib/mcp/handshake';
import { type CloseReason, LiveConnection, type LiveHost, type TransportKind } from '@/lib/mcp/live-connection';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { ConnectionError, type HttpSink, type MaskedFields, type Transport } from '@/lib/transports/transport';
import { type Moment, momentNow } from '@/lib/wire/clock';
import type { ConnectionSummary, NearbyAddresses, QuestionAnswer } from '@/lib/wire/command';
import { CLIENT_FEATURES, type ClientFeature, type Root } from '@/lib/wire/connection-settings';
import { canSend, type Failure, type FrameNote, type LifecycleEvent, type ProtocolChoice } from '@/lib/wire/lifecycle';
import type { Commanded } from './commands';
import { appendNote, FrameLog, type FrameLogOptions } from './frame-log';
import { Inbox } from './inbox';

/** Newest http frames, and characters in them, whose masked values are kept while the connection lives. */
export const REVEAL_FRAMES = 2000;
export const REVEAL_CHARACTERS = 1_000_000;

/** A server, ready to be connected. May hold secrets beside these. */
export interface Launchable {
  readonly transport: TransportKind;
  readonly name: string;
  /** As people may see it. */
  readonly title: string;
  readonly protocol: ProtocolChoice;
  /** What the server may ask of us; absent: everything. */
  readonly features?: readonly ClientFeature[];
  /** What `roots/list` is answered with at first; absent: none. */
  readonly roots?: readonly Root[];
  /** The era that an earlier run found. */
  readonly remembered?: RememberedEra;
}

/** What a connection needs from where it lives. */
export interface ConnectionDeps<L extends Launchable> extends Pick<LiveHost, 'clock' | 'exitFailure' | 'onEraFound'> {
  /** Our version, told to servers as `clientInfo`. */
  readonly version: string;
  /** Set where the page talks to the server itself. */
  readonly via?: 'direct';
  readonly openSpill?: FrameLogOptions['openSpill'];
  /** What the server was given and nobody else should see. */
  readonly secrets?: readonly string[];
  /** Whoever answers is believed. */
  readonly insecure?: boolean;
  /** The log's first frame. `at` is ISO 8601. */
  start(launch: L, at: string): LifecycleEvent;
  openTransport(launch: L, kind: TransportKind, sink: HttpSink): Transport;
  /** Asks the neighbours of a URL. Resolves when all is told to the sink; never rejects. Absent where that can't be done. */
  lookFurther?(where: NearbyAddresses, sink: HttpSink, signal: AbortSignal): Promise<void>;
  /** The log has new frames. Called once for all that came in one piece. */
  onGrown(connection: Connection<L>): void;
  /** The summary changed. */
  onChanged(connection: Connection<L>): void;
}

/** A connection of a hub's, and the log of everything that happened on it. Both stay after its end. */
export class Connection<L extends Launchable> implements Commanded {
  readonly id: string;
  readonly log: FrameLog;
  /** Whatever leaves the log goes through it: it knows what the server was given, and what was masked below the log. */
  readonly redactor: CaptureRedactor;
  readonly #launch: L;
  readonly #deps: ConnectionDeps<L>;
  readonly #live: LiveConnection;
  readonly #features: readonly ClientFeature[];
  readonly #inbox: Inbox;
  readonly #secrets = new MaskedValues();
  /** What all times in its log count from. */
  readonly #began: Moment;
  #recordedIn: string | undefined;
  #looking: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;

  constructor(id: string, launch: L, deps: ConnectionDeps<L>) {
    this.id = id;
    this.#launch = launch;
    this.#deps = deps;
    this.#began = momentNow(deps.clock);
    this.redactor = new CaptureRedactor(deps.secrets ?? []);
    const features = launch.features ?? CLIENT_FEATURES;
    this.#features = features;
    this.#inbox = new Inbox(features, () => deps.onChanged(this));
    this.#inbox.setRoots(launch.roots ?? []);
    this.log = new FrameLog({
      openSpill: deps.openSpill,
      onSpillFailed: (error) => this.#live.event({ event: 'spill-failed', message: error.message }),
    });
    this.#live = new LiveConnection(
      {
        kind: launch.transport,
        protocol: launch.protocol,
        clientInfo: { name: 'mcp-inspect', version: deps.version },
        capabilities: (version) => capabilitiesFor(features, version),
        handlers: this.#inbox.handlers,
        readsLists: true,
        reconnects: true,
        keepsTransportOpen: true,
        ...(launch.remembered && { remembered: launch.remembered }),
      },
      {
        clock: deps.clock,
        began: this.#began,
        openTransport: (kind, sink) => deps.openTransport(launch, kind, sink),
        append: (channel, direction, flags, time, source, start, end) =>
          this.log.append(channel, direction, flags, time, source, start, end),
        onGrown: () => deps.onGrown(this),
        onMasked: (seq, fields) => this.#secrets.keep(seq, fields),
        onSecrets: (values) => this.redactor.addMaskedSecrets(values),
        onStateChange: () => {
          if (this.#live.state !== 'starting' && !canSend(this.#live.state)) this.#secrets.forget();
          deps.onChanged(this);
        },
        exitFailure: deps.exitFailure,
        onEraFound: deps.onEraFound,
      },
    );
  }

  /** What starts the same again, as it is now. */
  get launch(): L {
    return { ...this.#launch, roots: this.#inbox.roots, remembered: this.#live.remembered };
  }

  get summary(): ConnectionSummary {
    const { kind, state, negotiated, signInUrl, unreachable } = this.#live;
    return {
      id: this.id,
      name: this.#launch.name,
      transport: kind,
      ...(this.#deps.via && { via: this.#deps.via }),
      title: this.#launch.title,
      ...(this.#deps.insecure && { insecure: true }),
      state,
      ...(unreachable && {
        unreachable: { since: this.#wallTime(unreachable.since), message: unreachable.message },
      }),
      startedAt: this.#began.at,
      ...(negotiated && negotiatedSummary(negotiated)),
      ...(this.#inbox.size > 0 && { waiting: this.#inbox.size }),
      ...(signInUrl !== undefined && { signInUrl }),
      ...(this.#recordedIn !== undefined && { recordedIn: this.#recordedIn }),
    };
  }

  /** ISO 8601 of a moment on the clock. */
  #wallTime(now: number): string {
    const { at, now: zero } = this.#began;
    return new Date(Date.parse(at) + now - zero).toISOString();
  }

  /** Whoever looks at it is told that it is recorded in this file. */
  recordedIn(path: string): void {
    this.#recordedIn = path;
    this.#deps.onChanged(this);
  }

  /** True once the server is gone for good, with everything it started. */
  get ended(): boolean {
    return this.#live.ended;
  }

  /** Starts the server, shakes hands and lists what it has. Never rejects: a failure is frames and the state `failed`. */
  async open(): Promise<void> {
    const opening = this.#live.open(this.#deps.start(this.#launch, this.#began.at)).catch(() => {});
    const { roots } = this.#inbox;
    if (roots.length > 0) this.#live.event({ event: 'roots', roots });
    await opening;
  }

  /** Sends a request and returns its frame. Throws ConnectionError. */
  request(method: string, params: string | undefined, timeoutMs: number | undefined): number {
    return this.#live.request(method, params, { timeoutMs }).seq;
  }

  /** Sends a notification and returns its frame. Throws ConnectionError. */
  notify(method: string, params: string | undefined): number {
    return this.#live.notify(method, params);
  }

  /** Sends exact text, whatever it is, as soon as the server runs. Throws ConnectionError. */
  sendRaw(text: string, terminate: boolean): number {
    return this.#live.sendRaw(text, terminate);
  }

  /** Gives up a request of ours, or one sent as raw text, and tells the server. Throws ConnectionError. */
  cancel(id: RequestId): void {
    this.#live.cancel(id);
  }

  /** Answers a question of the server's. Throws ConnectionError `not-waiting` and `result-not-json`. */
  answer(id: RequestId, key: string | undefined, answer: QuestionAnswer): void {
    this.#inbox.answer(id, key, answer);
  }

  /** Answers `roots/list` with these from now on, and tells a server that can hear of it. */
  setRoots(roots: readonly Root[]): void {
    this.#inbox.setRoots(roots);
    this.#live.event({ event: 'roots', roots });
    const declared = this.#features.includes('roots');
    if (declared && this.#live.state === 'open' && this.#live.negotiated?.era === 'legacy') {
      this.#live.notify('notifications/roots/list_changed', undefined);
    }
  }

  /** Tries at once to reach a server that can't be reached. Throws ConnectionError if it can. */
  retry(): void {
    this.#live.retry();
  }

  /** Gives up waiting for a sign-in. Throws ConnectionError if nobody is waited for. */
  cancelSignIn(): void {
    if (this.#live.cancelSignIn()) return;
    throw new ConnectionError({
      code: 'no-sign-in',
      message: 'This connection waits for no sign-in.',
      advice: 'See its message log for what became of it.',
    });
  }

  /** Writes into its log that what had been granted for its server is forgotten. */
  signedOut(): void {
    this.#live.event({ event: 'authorization', phase: 'signed-out' });
  }

  /** What is masked in an http frame. Throws ConnectionError `not-kept`. */
  reveal(seq: number, field: number | 'url'): string {
    return this.#secrets.get(seq, field);
  }

  /** Writes into the log what happened besides traffic. */
  logEvent(event: LifecycleEvent): void {
    this.#live.event(event);
  }

  /** Puts a person's note on a frame. Throws ConnectionError. */
  async annotate(note: FrameNote): Promise<void> {
    appendNote(this.log, note);
    this.#deps.onGrown(this);
  }

  /** Ends the server by the ladder. Resolves when it is gone; idempotent. */
  close(reason: CloseReason): Promise<void> {
    return this.#live.close(reason);
  }

  /** Asks what is beside the URL that failed. Resolves when that is in the log; one search at a time. Throws ConnectionError. */
  async lookFurther(where: NearbyAddresses): Promise<void> {
    const { state } = this.#live;
    if (!this.#deps.lookFurther || !((this.ended && state === 'failed') || state === 'handshake-failed')) {
      throw new ConnectionError(NOTHING_FAILED);
    }
    if (!this.#looking) {
      const stop = new AbortController();
      this.#live.event({ event: 'look-further', where });
      const done = this.#deps.lookFurther(where, this.#live.logOnlySink(), stop.signal);
      this.#looking = { stop, done };
    }
    await this.#looking.done;
    this.#looking = undefined;
  }

  /** Ends a search that is under way. */
  async stopBackgroundWork(): Promise<void> {
    this.#looking?.stop.abort();
    await this.#looking?.done;
  }
}

const NOTHING_FAILED = {
  code: 'nothing-failed',
  message: 'Only of a connection to a URL that failed, and by the proxy, can neighbouring addresses be asked.',
  advice: 'Connect first; if that fails, look further.',
};

/** A connection of which the log is left, and no server: it answers every command that needs one with the same sentence. */
export abstract class EndedConnection implements Commanded {
  readonly ended = true;
  abstract readonly id: string;
  abstract readonly log: FrameLog;
  /** The log has new frames. */
  protected abstract logGrew(): void;
  /** Why nothing can be sent. */
  protected abstract readonly refusal: Failure;

  request(): never {
    throw new ConnectionError(this.refusal);
  }

  notify(): never {
    return this.request();
  }

  sendRaw(): never {
    return this.request();
  }

  cancel(): never {
    return this.request();
  }

  answer(): never {
    return this.request();
  }

  setRoots(): never {
    return this.request();
  }

  reveal(): never {
    throw new ConnectionError(VALUE_NOT_KEPT);
  }

  async annotate(note: FrameNote): Promise<void> {
    appendNote(this.log, note);
    this.logGrew();
  }

  async lookFurther(): Promise<never> {
    return this.request();
  }

  retry(): never {
    return this.request();
  }

  cancelSignIn(): never {
    return this.request();
  }

  async close(): Promise<void> {
    // There is nothing to close.
  }

  /** Ends what is under way. */
  async stopBackgroundWork(): Promise<void> {
    // Nothing is.
  }
}

/** What is masked in a live connection's newest http frames, for the person who asks. In memory only, and bounded. */
export class MaskedValues {
  readonly #frames = new Map<number, MaskedFields>();
  #characters = 0;
  #over = false;

  keep(seq: number, fields: MaskedFields): void {
    if (this.#over) return;
    this.#frames.set(seq, fields);
    this.#characters += lengthOf(fields);
    for (const [oldest, dropped] of this.#frames) {
      if (this.#frames.size <= REVEAL_FRAMES && this.#characters <= REVEAL_CHARACTERS) break;
      this.#frames.delete(oldest);
      this.#characters -= lengthOf(dropped);
    }
  }

  /** Throws ConnectionError `not-kept`. */
  get(seq: number, field: number | 'url'): string {
    const found = this.#frames.get(seq)?.find(([place]) => place === field);
    if (!found) throw new ConnectionError(VALUE_NOT_KEPT);
    return found[1];
  }

  /** The connection is over: everything goes, and nothing is kept any more. */
  forget(): void {
    this.#over = true;
    this.#frames.clear();
    this.#characters = 0;
  }
}

/** What is masked is not to be had any more. */
const VALUE_NOT_KEPT: Failure = {
  code: 'not-kept',
  message:
    'This value is not kept: mcp-inspect keeps what you gave, the session and cookies, while the connection lives.',
  advice: 'Restart the connection, then look at a newer request.',
};

function lengthOf(fields: MaskedFields): number {
  return fields.reduce((sum, [, value]) => sum + value.length, 0);
}
