import { isObject, own } from '@/lib/json/value';
import { type Direction, FLAG, type Frame } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { METHOD } from '@/lib/wire/protocol-names';
import type { Classified, Message } from '../classify';
import { RecentMap } from '../columns/collections';
import type { Derivation } from '../derivation';
import type { RowStatus } from '../rows/row';
import type { TelemetryUnit } from '../telemetry/unit';
import { NO_FACTS, nextFacts, toServerFacts } from './connection-facts';
import { InboxReader } from './inbox';
import { listChangesText } from './list-changes';
import { ListingReader, PROMPTS, RESOURCES, TEMPLATES, TOOLS } from './listings';
import type { NotesState } from './notes';
import type { ConnectionFacts, HttpFacts, LogState, ServerFacts } from './state';
import type { TasksState } from './tasks';

/** Newest stderr frames listed in a log's state. */
export const STDERR_SEQS = 1000;
/** First lines on stdout that are not MCP listed in a log's state. */
export const JUNK_SEQS = 100;

/** Handlers for a method's requests to the server. */
interface Follower {
  onRequest?(seq: number, params: unknown): void;
  onAnswer(seq: number, answerSeq: number, result: unknown): void;
  onFailure?(seq: number, error: unknown, why: string): void;
}

/** State that others derive from the log. */
interface OtherState {
  /** Returns the HTTP exchange of a frame. */
  carrier(seq: number): number | undefined;
  http(): HttpFacts;
  /** Returns the number of frames that are in the row of an earlier one. */
  folded(): number;
  notes(): NotesState;
  tasks(): TasksState;
  /** Returns the call that started a task. */
  taskCall(taskId: string | undefined): number | undefined;
}

/** Control characters and space are up to this byte. */
const SPACE = 0x20;

const UNANSWERED_BECAUSE: Partial<Record<RowStatus, string>> = {
  cancelled: 'The request was cancelled.',
  timeout: 'The server did not respond in time.',
  lost: 'The connection ended before the whole response came.',
};

/** Derives state from frames, in O(1) each. Never throws, whatever a server sends. */
export class Reducer implements Derivation {
  #connection = NO_FACTS;
  readonly #lifecycleSeqs: number[] = [];
  #server: ServerFacts = {};
  readonly #tools = new ListingReader(TOOLS);
  readonly #resources = new ListingReader(RESOURCES);
  readonly #templates = new ListingReader(TEMPLATES);
  readonly #prompts = new ListingReader(PROMPTS);
  readonly #listings = [this.#tools, this.#resources, this.#templates, this.#prompts] as const;
  readonly #handshake: Follower = { onAnswer: (_seq, answerSeq, result) => this.#setServer(answerSeq, result) };
  /** Followers by method. Add a row here for a new derived fact. */
  readonly #followers: ReadonlyMap<string, Follower> = new Map<string, Follower>([
    ['initialize', this.#handshake],
    ['server/discover', this.#handshake],
    ...this.#listings.map((reader): [string, Follower] => [reader.kind.method, reader]),
  ]);
  readonly #inbox: InboxReader;
  /** Changes by each reading of a list, by its last frame. */
  readonly #changeTexts = new RecentMap<number, string>();
  #http: HttpFacts = {};
  #stderrSeqs: number[] = [];
  #stderrBytes = 0;
  #stderrCount = 0;
  #junkSeqs: number[] = [];
  #junkCount = 0;
  #folded = 0;
  #logMessages = 0;
  #longestLogger = 0;
  #telemetry = 0;
  #state: LogState | undefined;
  readonly #others: OtherState;

  constructor(others: OtherState) {
    this.#inbox = new InboxReader(others.carrier, others.taskCall);
    this.#others = others;
  }

  /** Built on access after a change, so that a flood of frames builds it once. */
  get state(): LogState {
    this.#state ??= {
      connection: this.#connectionFacts,
      server: this.#server,
      tools: this.#tools.listing,
      resources: this.#resources.listing,
      templates: this.#templates.listing,
      prompts: this.#prompts.listing,
      inbox: this.#inbox.state,
      junk: { seqs: [...this.#junkSeqs], count: this.#junkCount },
      http: this.#http,
      logMessages: this.#logMessages,
      longestLogger: this.#longestLogger,
      telemetry: this.#telemetry,
      notes: this.#others.notes(),
      tasks: this.#others.tasks(),
      folded: this.#folded,
      stderr: { seqs: this.#stderrSeqs.slice(-STDERR_SEQS), count: this.#stderrCount, bytes: this.#stderrBytes },
    };
    return this.#state;
  }

  /** The same object until the next lifecycle frame. */
  get #connectionFacts(): ConnectionFacts {
    if (this.#connection.seqs.length < this.#lifecycleSeqs.length) {
      this.#connection = { ...this.#connection, seqs: [...this.#lifecycleSeqs] };
    }
    return this.#connection;
  }

  /** True if state is derived from this method's requests and responses. */
  follows(method: string | undefined): boolean {
    return this.#followers.has(method ?? '');
  }

  addEvent(seq: number, event: LifecycleEvent | undefined): void {
    this.#connection = nextFacts(this.#connection, seq, event);
    this.#lifecycleSeqs.push(seq);
    if (event?.event === 'spawned') {
      this.#junkSeqs = [];
      this.#junkCount = 0;
    }
    this.#inbox.addLifecycle(seq, event);
    this.#state = undefined;
  }

  /** Called when a task changed. */
  onTasksChanged(): void {
    this.#state = undefined;
  }

  add(frame: Frame, { kind, messages, unit }: Classified): void {
    const { seq, direction, bytes } = frame;
    if (kind === 'request' && direction === 'to-server') this.#addRequest(seq, messages[0]!);
    else if (kind === 'stderr') this.#addStderr(seq, bytes.length);
    else if (kind === 'http') this.#setHttpFacts(this.#others.http());
    // Notes and gaps are counted elsewhere.
    else if (kind === 'note' || kind === 'lifecycle') this.#state = undefined;
    else if (kind === 'junk' && direction === 'to-client') this.#addJunk(frame);
    else if (unit) this.#addTelemetry(unit);
    const folded = this.#others.folded();
    if (folded === this.#folded) return;
    this.#folded = folded;
    this.#state = undefined;
  }

  /** Adds a line from the server that is not MCP. */
  #addJunk({ seq, bytes, flags }: Frame): void {
    // White space and control characters only.
    if (flags & FLAG.continued || bytes.every((byte) => byte <= SPACE)) return;
    if (this.#junkCount++ < JUNK_SEQS) this.#junkSeqs.push(seq);
    this.#state = undefined;
  }

  #addStderr(seq: number, bytes: number): void {
    this.#stderrSeqs.push(seq);
    this.#stderrBytes += bytes;
    this.#stderrCount++;
    if (this.#stderrSeqs.length >= 2 * STDERR_SEQS) this.#stderrSeqs = this.#stderrSeqs.slice(-STDERR_SEQS);
    this.#state = undefined;
  }

  #setHttpFacts(facts: HttpFacts): void {
    if (facts === this.#http) return;
    this.#http = facts;
    this.#state = undefined;
  }

  /** Adds a message, in a batch or not. */
  addMessage(seq: number, direction: Direction, message: Message): void {
    this.#inbox.addMessage(seq, direction, message);
    if (this.#state && this.#state.inbox !== this.#inbox.state) this.#state = undefined;
    if (direction !== 'to-client' || message.method !== METHOD.log) return;
    this.#logMessages++;
    const params = own(message.body, 'params');
    const logger = isObject(params) ? own(params, 'logger') : undefined;
    if (typeof logger === 'string') this.#longestLogger = Math.max(this.#longestLogger, logger.length);
    this.#state = undefined;
  }

  /** Adds a unit of telemetry. A log record is a log message as well. A resource alone says nothing. */
  #addTelemetry({ unit, service }: TelemetryUnit): void {
    if (unit === 'resource') return;
    this.#telemetry++;
    if (unit === 'log') {
      this.#logMessages++;
      this.#longestLogger = Math.max(this.#longestLogger, service.length);
    }
    this.#state = undefined;
  }

  /** Returns what a response with the end of a list changed, as {@link listChangesText} formats it. */
  listChange(seq: number): string | undefined {
    return this.#changeTexts.get(seq);
  }

  /** Adds a client request that is not in a batch. */
  #addRequest(seq: number, message: Message): void {
    const follower = this.#followers.get(message.method ?? '');
    if (!follower?.onRequest) return;
    follower.onRequest(seq, own(message.body, 'params'));
    this.#state = undefined;
  }

  /** Called when a client request was answered or given up. */
  onSettled(
    seq: number,
    method: string | undefined,
    status: RowStatus,
    answer?: { seq: number; message?: Message },
  ): void {
    this.#inbox.onSettled(seq, answer);
    const follower = this.#followers.get(method ?? '');
    // In auto mode, the response to the handshake that was not chosen describes nothing.
    if (!follower || (follower === this.#handshake && status === 'cancelled')) return;
    if (answer?.message?.kind === 'response') {
      follower.onAnswer(seq, answer.seq, own(answer.message.body, 'result'));
      const changes = this.#listings.find((reader) => reader === follower)?.listing.changes;
      if (changes?.seq === answer.seq) this.#changeTexts.set(answer.seq, listChangesText(changes));
    } else
      follower.onFailure?.(
        seq,
        answer?.message && own(answer.message.body, 'error'),
        UNANSWERED_BECAUSE[status] ?? 'The server sent an error.',
      );
    this.#state = undefined;
  }

  #setServer(answerSeq: number, result: unknown): void {
    const facts = toServerFacts(answerSeq, result);
    if (!facts) return;
    this.#server = facts;
    if (facts.capabilities) for (const reader of this.#listings) reader.onCapabilities(facts.capabilities);
  }
}
