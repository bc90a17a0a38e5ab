import { isObject, own } from '@/lib/json/value';
import { ClientTasks, withTasks } from '@/lib/mcp/client-tasks';
import { sentCapabilities } from '@/lib/mcp/declared-capabilities';
import type { PresentedClient, RequestHandle } from '@/lib/mcp/engine';
import type { FollowUpOptions } from '@/lib/mcp/follow-ups';
import { negotiatedSummary, type RememberedEra } from '@/lib/mcp/handshake';
import { LiveConnection, type LiveHost, type TelemetryLink, type TransportKind } from '@/lib/mcp/live-connection';
import type { MessageInterceptor, RuleOwner, RuleSet } from '@/lib/mcp/message-interceptor';
import { reportingSecrets } from '@/lib/mcp/secret-answers';
import { clientInfoWith, protocolOf } from '@/lib/mcp/versions';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { ConnectionError, type HttpSink, type MaskedFields, type Transport } from '@/lib/transports/transport';
import type { AuthStep } from '@/lib/wire/auth-step';
import { type ClientProfile, declaredBy, introducesAnew, needsHandshake, tidyProfile } from '@/lib/wire/client-profile';
import { type Moment, momentNow } from '@/lib/wire/clock';
import type { ConnectionSummary, NearbyAddresses, RunInfo } from '@/lib/wire/command';
import type { Root } from '@/lib/wire/connection-settings';
import type { HoldDecision, InterceptRule } from '@/lib/wire/intercept';
import { canSend, type Failure, type FrameNote, type LifecycleEvent, type ProtocolChoice } from '@/lib/wire/lifecycle';
import type { QuestionAnswer, RequestId } from '@/lib/wire/message';
import { type LogLevel, METHOD } from '@/lib/wire/protocol-names';
import { subscribingRequest } from '@/lib/wire/resource-subscriptions';
import type { StandingChange, StandingReply } from '@/lib/wire/standing-answers';
import type { WatchState } from '@/lib/wire/watch';
import { VALUE_NOT_KEPT } from './ended-connection';
import { appendNote, FrameLog, type FrameLogOptions, framesFrom } from './frame-log';
import { Inbox } from './inbox';
import { PrintedLines } from './printed-lines';
import { StandingAnswers, type StandingHost } from './standing-answers';
import { SubscribedResources } from './subscribed-resources';

/** A server, ready to connect to. Implementations may also hold secrets. */
export interface Launchable {
  readonly transport: TransportKind;
  readonly name: string;
  /** The command line or URL as people may see it. */
  readonly title: string;
  /** The target as people may see it, with a name only if one was given. */
  readonly shown: { readonly name?: string };
  /** Set by a restart. */
  readonly laterRun?: RunInfo;
  readonly protocol: ProtocolChoice;
  /** How mcp-inspect presents itself. Absent: as it is. */
  readonly profile?: ClientProfile;
  /** The first answer to `roots/list`. Absent: no roots. */
  readonly roots?: readonly Root[];
  /** The log level that an earlier run asked for. */
  readonly logLevel?: LogLevel;
  /** The resources that an earlier run was subscribed to. */
  readonly subscribed?: readonly string[];
  /** The protocol era that an earlier run found. */
  readonly remembered?: RememberedEra;
  /** Rules of interception, in force from the first message on. */
  readonly rules?: readonly RuleSet[];
}

/** The host's services for a connection. */
export interface ConnectionDeps<L extends Launchable> extends Pick<LiveHost, 'clock' | 'onEraFound'> {
  /** Version of mcp-inspect, sent to servers in `clientInfo`. */
  readonly version: string;
  /** Set if the page talks to the server itself. */
  readonly via?: 'direct';
  readonly openSpill?: FrameLogOptions['openSpill'];
  /** Values that the server was given and nobody else should see. */
  readonly secrets?: readonly string[];
  /** Receives the server's OpenTelemetry. Absent: it is not received. */
  readonly telemetry?: TelemetryLink | undefined;
  /** Requests carry a trace context. */
  readonly traced?: boolean | undefined;
  /** True if the server's certificate is not verified. */
  readonly insecure?: boolean;
  /** Returns the log's first frame. `at` is ISO 8601. */
  start(launch: L, at: string): LifecycleEvent;
  openTransport(launch: L, kind: TransportKind, sink: HttpSink): Transport;
  /** The store of standing answers, and the digest of this server. Absent: people answer all questions. */
  readonly standing?: Pick<StandingHost, 'store' | 'server'>;
  /**
   * Probes neighbouring addresses of a URL, or the address `printed` that a process printed. Resolves once the sink has
   * every exchange; never rejects. Absent: not possible here.
   */
  lookFurther?(where: NearbyAddresses, sink: HttpSink, signal: AbortSignal, printed?: string): Promise<void>;
  /** Called when the log has new frames, once for all frames of one chunk. */
  onGrown(connection: Connection<L>): void;
  /** Called when the summary has changed. */
  onChanged(connection: Connection<L>): void;
}

/** A connection to one server, and the log of everything that happened on it. Both stay after the server is gone. */
export class Connection<L extends Launchable> {
  readonly id: string;
  readonly log: FrameLog;
  /** Sends requests, notifications and raw messages. */
  readonly server: LiveConnection;
  readonly inbox: Inbox;
  /**
   * Removes the secrets that the server was given, and repetitions of values that the transport masked. All data that
   * leaves the log goes through this redactor.
   */
  readonly redactor: CaptureRedactor;
  /** Secrets in answers to the server’s forms. A chat may repeat them. */
  readonly answeredSecrets: string[] = [];
  readonly #launch: L;
  readonly #deps: ConnectionDeps<L>;
  #profile: ClientProfile;
  /** The tasks that the server runs here. They go on when the profile changes. */
  readonly #tasks = new ClientTasks({
    newId: randomId,
    now: () => this.#wallTime(this.#deps.clock.now()),
    onBusy: (busy) => this.server.holdForTasks(busy),
    onEnded: (task) => {
      if (this.server.state === 'open') this.server.notify(METHOD.taskStatus, JSON.stringify(task));
    },
  });
  readonly #masked = new MaskedValues();
  readonly #resources = new SubscribedResources();
  readonly #rules: Map<RuleOwner, RuleSet>;
  /** Resources to subscribe to once the connection is open. */
  #toSubscribe: readonly string[];
  /** undefined if people answer all questions. */
  readonly #standing: StandingAnswers | undefined;
  /** The moment from which all times in the log count. */
  readonly #began: Moment;
  #recordedIn: string | undefined;
  #unwritten = 0;
  #watch: WatchState | undefined;
  #changedSource: string | undefined;
  #explained: Failure | undefined;
  /** The printed address that was probed. */
  #lookedAt: string | undefined;
  #looking: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;
  #authStep: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;

  constructor(id: string, launch: L, deps: ConnectionDeps<L>) {
    this.id = id;
    this.#launch = launch;
    this.#deps = deps;
    this.#began = momentNow(deps.clock);
    this.redactor = new CaptureRedactor(deps.secrets ?? []);
    this.#profile = launch.profile ?? {};
    this.#toSubscribe = launch.subscribed ?? [];
    this.#rules = new Map(launch.rules?.map((set) => [set.owner, set]));
    this.#standing =
      deps.standing &&
      new StandingAnswers({
        ...deps.standing,
        title: this.#withoutSecrets(launch.title),
        hasSecrets: (text) => this.#withoutSecrets(text) !== text,
      });
    this.inbox = new Inbox(
      () => deps.onChanged(this),
      (params, { method, id, key }) => {
        const answer = this.#standing?.use(method, params);
        if (answer) this.logEvent({ event: 'standing-answer', id, method, ...(key !== undefined && { key }) });
        return answer;
      },
    );
    this.inbox.setRoots(launch.roots ?? []);
    this.log = new FrameLog({
      openSpill: deps.openSpill,
      onSpillFailed: (error) => this.logEvent({ event: 'spill-failed', message: error.message }),
    });
    this.server = new LiveConnection(
      {
        kind: launch.transport,
        protocol: protocolOf(launch.protocol, this.#profile),
        ...this.#presented(),
        readsLists: true,
        reconnects: true,
        keepsTransportOpen: true,
        traced: deps.traced,
        ...(launch.logLevel && { logLevel: launch.logLevel }),
        // A host has its own way to find out.
        ...(launch.remembered && this.#profile.as === undefined && { remembered: launch.remembered }),
        handshakeMs: this.#profile.timeouts?.startMs,
      },
      {
        clock: deps.clock,
        began: this.#began,
        openTransport: (kind, sink) => deps.openTransport(launch, kind, sink),
        append: this.log.append.bind(this.log),
        appendLines: this.log.appendLines.bind(this.log),
        settle: () => this.log.settle(),
        onGrown: () => {
          if (this.server.ended) this.inbox.close();
          deps.onGrown(this);
        },
        onMasked: (seq, fields) => this.#masked.keep(seq, fields),
        onSecrets: (values) => this.redactor.addMaskedSecrets(values),
        onStateChange: () => {
          this.#subscribeAgain();
          if (this.server.state !== 'starting' && !canSend(this.server.state)) this.#masked.forget();
          deps.onChanged(this);
        },
        telemetry: deps.telemetry,
        onEraFound: deps.onEraFound,
      },
    );
  }

  /** Returns a launch that starts the same server again, with what a person has set since, and the era. */
  get launch(): L {
    const { remembered, logLevel } = this.server;
    const subscribed = [...this.#toSubscribe, ...this.#resources.uris];
    const rules = [...this.#rules.values()];
    return {
      ...this.#launch,
      roots: this.inbox.roots,
      profile: this.#profile,
      logLevel,
      subscribed,
      remembered,
      rules,
    };
  }

  /** Replaces the rules of an owner. Rejects with a Failure `bad-rule`, and keeps the old ones then. */
  async setRules(owner: RuleOwner, rules: readonly InterceptRule[]): Promise<void> {
    await this.#setRuleSet({ ...this.#rules.get(owner), owner, rules });
  }

  /** Replaces the overlay of an owner. Rejects with a Failure `bad-overlay`, and keeps the old one then. */
  async setOverlay(owner: RuleOwner, overlay: string): Promise<void> {
    await this.#setRuleSet({ rules: [], ...this.#rules.get(owner), owner, overlay });
  }

  async #setRuleSet(set: RuleSet): Promise<void> {
    const { owner, rules, overlay } = set;
    const before = this.#rules.get(owner);
    const isNone = rules.length === 0 && overlay === undefined;
    if (isNone) this.#rules.delete(owner);
    else this.#rules.set(owner, set);
    try {
      await this.server.setRules(set, () => isNone || this.#rules.get(owner) === set);
    } catch (error) {
      if (this.#rules.get(owner) === set) {
        if (before) this.#rules.set(owner, before);
        else this.#rules.delete(owner);
      }
      throw error;
    }
  }

  /** Removes the rules of the owners that `isGone` accepts, and passes on the messages that they hold. */
  removeRules(isGone: (owner: RuleOwner) => boolean): void {
    for (const owner of [...this.#rules.keys()].filter(isGone)) {
      this.#rules.delete(owner);
      this.server.removeRules(owner);
    }
  }

  /** Returns the bytes of a held message. Throws a Failure `not-held`. */
  async readHeld(hold: number): Promise<Uint8Array> {
    return this.#interceptor.read(hold);
  }

  /** Ends a hold as a person decides. Throws a Failure `not-held`, `not-answerable`. */
  async decide(hold: number, decision: HoldDecision): Promise<void> {
    this.#interceptor.decide(hold, decision);
  }

  get #interceptor(): MessageInterceptor {
    const { interceptor } = this.server;
    if (interceptor) return interceptor;
    throw new ConnectionError(NOTHING_HELD);
  }

  /** Sends a person's request. Throws like {@link LiveConnection.request}. */
  request(method: string, params: string | undefined, options: FollowUpOptions): RequestHandle {
    const handle = this.server.request(method, params, options);
    this.#resources.note(method, params, handle.outcome);
    return handle;
  }

  /** Subscribes to the resources of the run before. */
  #subscribeAgain(): void {
    const { negotiated } = this.server;
    const uris = this.#toSubscribe;
    if (!negotiated || uris.length === 0) return;
    this.#toSubscribe = [];
    const resources = own(negotiated.capabilities, 'resources');
    if (!isObject(resources) || own(resources, 'subscribe') !== true) return;
    for (const uri of uris) {
      const [method, params] = subscribingRequest(negotiated.era === 'modern', uri);
      this.request(method, JSON.stringify(params), {});
    }
  }

  /** Returns the client that the server sees. */
  #presented(): PresentedClient {
    const { info, meta, timeouts = {}, as, answersRoots } = this.#profile;
    const capabilities = declaredBy(this.#profile);
    const { silenceMs, totalMs } = timeouts;
    const answered = { ...capabilities, ...(answersRoots && { roots: {} }) };
    const handlers = reportingSecrets(this.inbox.handlersFor(answered), (values) => {
      this.redactor.addGivenSecrets(values);
      this.answeredSecrets.push(...values);
    });
    return {
      clientInfo: clientInfoWith(this.#deps.version, info),
      capabilities: (version) => sentCapabilities(capabilities, version, as),
      handlers: capabilities.tasks ? withTasks(handlers, capabilities.tasks, this.#tasks) : handlers,
      ...(meta && { meta }),
      times: {
        ...(silenceMs !== undefined && { timeoutMs: silenceMs }),
        ...(totalMs !== undefined && { maxMs: totalMs }),
      },
    };
  }

  /**
   * Changes how mcp-inspect presents itself, from the next request on. Throws ConnectionError `needs-handshake` if a
   * legacy server could not learn of the change.
   */
  setProfile(profile: ClientProfile): void {
    const { state, negotiated } = this.server;
    if (!canSend(state)) throw new ConnectionError(NOT_OPEN);
    const isNew = introducesAnew(this.#profile, profile);
    if (needsHandshake(this.#profile, profile, negotiated?.era)) throw new ConnectionError(NEEDS_HANDSHAKE);
    this.#profile = tidyProfile(profile);
    this.logEvent({ event: 'profile', profile: this.#profile });
    this.server.setClient(this.#presented(), isNew);
  }

  get summary(): ConnectionSummary {
    const { kind, state, stateReason, negotiated, signInUrl, unreachable } = this.server;
    return {
      id: this.id,
      name: this.#launch.name,
      ...(this.#launch.shown.name !== undefined && { named: true }),
      ...this.#launch.laterRun,
      transport: kind,
      ...(this.#profile.as !== undefined && { as: this.#profile.as }),
      ...(this.#deps.via && { via: this.#deps.via }),
      title: this.#launch.title,
      ...(this.#deps.insecure && { insecure: true }),
      state,
      ...(stateReason && { failure: this.#explained ?? stateReason }),
      ...(unreachable && {
        unreachable: { since: this.#wallTime(unreachable.since), message: unreachable.message },
      }),
      startedAt: this.#began.at,
      ...(negotiated && negotiatedSummary(negotiated)),
      ...(this.inbox.size > 0 && { waiting: this.inbox.size }),
      ...(signInUrl !== undefined && { signInUrl }),
      ...(this.#recordedIn !== undefined && { recordedIn: this.#recordedIn }),
      ...(this.#unwritten > 0 && { unwritten: this.#unwritten }),
      ...(this.#changedSource !== undefined && { changedSource: this.#changedSource }),
      ...(this.#watch && { watch: this.#watch }),
    };
  }

  /** Converts a time on the clock to ISO 8601. */
  #wallTime(now: number): string {
    const { at, now: zero } = this.#began;
    return new Date(Date.parse(at) + now - zero).toISOString();
  }

  /** Sets the path of the recording, for the summary; undefined for none. */
  recordedIn(path: string | undefined): void {
    this.#recordedIn = path;
    this.#deps.onChanged(this);
  }

  /** Sets the number of frames that the recording does not have yet, for the summary. */
  recordingIsBehind(frames: number): void {
    this.#unwritten = frames;
    this.#deps.onChanged(this);
  }

  /** Says in the summary that a source file is newer than the process. */
  showChangedSource(name: string): void {
    this.#changedSource = name;
    this.#deps.onChanged(this);
  }

  /** Sets the state of re-run on save, for the summary; undefined if it is off, or another run shows it. */
  showWatch(state: WatchState | undefined): void {
    if (state === this.#watch) return;
    this.#watch = state;
    this.#deps.onChanged(this);
  }

  /** Gives the summary of a failed connection the doctor's words for its failure. */
  explain(failure: Failure): void {
    this.#explained = failure;
    this.#deps.onChanged(this);
  }

  /** True once the server and every process it started are gone. */
  get ended(): boolean {
    return this.server.ended;
  }

  /**
   * Starts the server, shakes hands and reads its lists. Never rejects: a failure appears as frames and as the state
   * `failed`.
   */
  async open(): Promise<void> {
    const start = this.#deps.start(this.#launch, this.#began.at);
    const prepare = async (): Promise<void> => {
      for (const set of [...this.#rules.values()]) await this.#setRuleSet(set);
    };
    const opening = this.server.open(start, this.#rules.size > 0 ? prepare : undefined).catch(() => {});
    const { roots } = this.inbox;
    if (roots.length > 0) this.logEvent({ event: 'roots', roots });
    const { logLevel } = this.#launch;
    if (logLevel) this.logEvent({ event: 'log-level', level: logLevel });
    await opening;
  }

  /**
   * Answers a question of the server. `always`: the same question is answered like this from now on. Rejects with a
   * ConnectionError, and then the question stays open.
   */
  async answer(id: RequestId, key: string | undefined, answer: QuestionAnswer, always = false): Promise<void> {
    if (always) {
      const { method, params } = this.inbox.question(id, key, answer);
      if (!this.#standing) throw new ConnectionError(NO_STANDING);
      await this.#standing.add(method, params, answer);
    }
    this.inbox.answer(id, key, answer);
  }

  /** Changes a standing answer, if `change` is given, and returns the list. Rejects with a ConnectionError. */
  async standingAnswers(change: StandingChange | undefined): Promise<StandingReply> {
    if (!this.#standing) throw new ConnectionError(NO_STANDING);
    if (change) await this.#standing.change(change);
    return this.#standing.list();
  }

  #withoutSecrets(text: string): string {
    const bytes = new TextEncoder().encode(text);
    return new TextDecoder().decode(this.redactor.fork().apply({ bytes }).bytes);
  }

  /** Changes the answer to `roots/list`, and notifies a legacy server of it. */
  setRoots(roots: readonly Root[]): void {
    this.inbox.setRoots(roots);
    this.logEvent({ event: 'roots', roots });
    if (
      declaredBy(this.#profile).roots?.listChanged &&
      this.server.state === 'open' &&
      this.server.negotiated?.era === 'legacy'
    ) {
      this.server.notify('notifications/roots/list_changed', undefined);
    }
  }

  /** Returns a value that is masked in an http frame. Throws ConnectionError `not-kept`. */
  reveal(seq: number, field: number | 'url'): string {
    return this.#masked.get(seq, field);
  }

  /** Adds a lifecycle frame to the log. */
  logEvent(event: LifecycleEvent): void {
    this.server.event(event);
  }

  /** Adds a person's note on a frame. Throws ConnectionError. */
  async annotate(note: FrameNote): Promise<void> {
    appendNote(this.log, note);
    this.#deps.onGrown(this);
  }

  /**
   * Probes neighbouring addresses of the URL that failed. Resolves when the answers are logged. Throws ConnectionError.
   */
  async lookFurther(where: NearbyAddresses): Promise<void> {
    const { state } = this.server;
    if (where === 'server-card') return this.#readCard();
    const printed = where === 'printed' ? await this.#printedAddress() : undefined;
    // Page and terminal ask, each on its own.
    if (printed !== undefined && printed === this.#lookedAt) return this.#looking?.done;
    this.#lookedAt = printed;
    const isFailed = (this.ended && state === 'failed') || state === 'handshake-failed';
    if (!this.#deps.lookFurther || !(where === 'printed' ? printed !== undefined : isFailed && !this.#isProcess)) {
      throw new ConnectionError(where === 'printed' ? NOTHING_PRINTED : NOTHING_FAILED);
    }
    if (!this.#looking) {
      const stop = new AbortController();
      this.logEvent({ event: 'look-further', where });
      const done = this.#deps.lookFurther(where, this.server.logOnlySink(), stop.signal, printed);
      this.#looking = { stop, done };
    }
    await this.#looking.done;
    this.#looking = undefined;
  }

  get #isProcess(): boolean {
    return this.#launch.transport === 'stdio';
  }

  /** Returns the address that a process printed that runs but has not answered; undefined if there is none. */
  async #printedAddress(): Promise<string | undefined> {
    const { state } = this.server;
    if (!this.#isProcess || !(state === 'starting' || state === 'handshake-failed')) return undefined;
    const lines = new PrintedLines();
    for (const frame of framesFrom(await this.log.segmentOf(1), 1)) lines.add(frame);
    return lines.url;
  }

  /** Requests the server's card. Resolves when the answer is logged. */
  async #readCard(): Promise<void> {
    if (!this.#deps.lookFurther || this.#looking) throw new ConnectionError(NO_CARD);
    const stop = new AbortController();
    const done = this.#deps.lookFurther('server-card', this.server.logOnlySink(), stop.signal);
    this.#looking = { stop, done };
    await done;
    this.#looking = undefined;
  }

  /**
   * Runs one step of authorization alone, and logs it. A step may run after the connection has ended, except for `use`,
   * which sends a request. Rejects with a ConnectionError.
   */
  async runAuthStep(step: AuthStep): Promise<void> {
    if (this.#authStep) throw new ConnectionError(STEP_RUNS);
    if (step === 'use' && !canSend(this.server.state)) throw new ConnectionError(NOT_OPEN_TO_USE);
    const stop = new AbortController();
    const done = this.server.runAuthStep(step, stop.signal);
    this.#authStep = { stop, done: done.catch(() => {}) };
    try {
      await done;
    } finally {
      this.#authStep = undefined;
    }
    // Every server answers these.
    const isModern = this.server.negotiated?.era === 'modern';
    if (step === 'use') this.request(isModern ? 'server/discover' : 'ping', undefined, {});
  }

  /** Cancels a search for neighbouring addresses, and a step of authorization. */
  async stopBackgroundWork(): Promise<void> {
    this.#looking?.stop.abort();
    this.#authStep?.stop.abort();
    await Promise.all([this.#looking?.done, this.#authStep?.done]);
  }
}

/** Returns an id that nobody can guess, so that no other client can ask for the task. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const NOT_OPEN = {
  code: 'not-connected',
  message: 'The connection has ended, so its client settings can’t change.',
  advice: 'Restart the server with the new settings.',
};

const NEEDS_HANDSHAKE = {
  code: 'needs-handshake',
  message: 'This server learns capabilities, client name and protocol only in the handshake.',
  advice: 'Restart it with these settings.',
};

const NO_STANDING = {
  code: 'no-standing',
  message: 'Standing answers are not available here.',
  advice: 'Answer the question by hand.',
};

const NOTHING_HELD = {
  code: 'not-held',
  message: 'No message of this connection waits.',
  advice: 'See the message log for what was done to it.',
};

const NO_CARD = {
  code: 'no-card',
  message: 'Only a proxied connection to a URL can ask for a Server Card, one request at a time.',
  advice: 'Connect to a URL through the proxy.',
};

const STEP_RUNS = {
  code: 'authorization-busy',
  message: 'Another step of authorization is running.',
  advice: 'Wait until it is over, or cancel the sign-in.',
};

const NOT_OPEN_TO_USE = {
  code: 'not-connected',
  message: 'The connection is not open, so no request can be sent.',
  advice: 'Restart it to use the token.',
};

const NOTHING_PRINTED = {
  code: 'nothing-printed',
  message: 'The server does not run, or has printed no address of this machine.',
  advice: 'Restart it, or connect to its URL.',
};

const NOTHING_FAILED = {
  code: 'nothing-failed',
  message: '"Try other addresses" works only after a proxied connection to a URL has failed.',
  advice: 'Connect to a URL first.',
};

/**
 * HTTP frames of one connection whose masked values stay in memory. Each takes a few hundred bytes, and only the newest
 * are kept.
 */
export const REVEAL_FRAMES = 2000;
/** Characters of masked values in memory for each connection. */
export const REVEAL_CHARACTERS = 1_000_000;

/** Masked values of a live connection's newest http frames, in memory, so that a person can reveal them. */
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

  /** Drops everything at the end of the connection. Later values are not kept either. */
  forget(): void {
    this.#over = true;
    this.#frames.clear();
    this.#characters = 0;
  }
}

function lengthOf(fields: MaskedFields): number {
  return fields.reduce((sum, [, value]) => sum + value.length, 0);
}
