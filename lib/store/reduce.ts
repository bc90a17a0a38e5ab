import type { Direction } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { own } from '@/lib/wire/message';
import type { Message } from './classify';
import { NO_FACTS, nextFacts } from './connection-facts';
import { InboxReader } from './inbox-reader';
import { PROMPTS, RESOURCES, TEMPLATES, TOOLS } from './listing-kinds';
import { ListingReader } from './listing-reader';
import type { NotesState } from './notes';
import type { Status } from './row';
import { toServerFacts } from './server-facts';
import type { ConnectionFacts, HttpFacts, LogState, ServerFacts } from './state';

/** What is followed of one method's requests to the server. */
interface Follower {
  requested?(seq: number, params: unknown): void;
  answered(seq: number, answerSeq: number, result: unknown): void;
  failed?(seq: number, error: unknown, why: string): void;
}

const WHY: Partial<Record<Status, string>> = {
  cancelled: 'The request was cancelled.',
  timeout: 'The server did not answer in time.',
  lost: 'The server was gone before it answered.',
};

/** Frames to state, one at a time and O(1) each. Nothing a server sends makes it throw. */
export class Reducer {
  #connection = NO_FACTS;
  readonly #lifecycleSeqs: number[] = [];
  #server: ServerFacts = {};
  readonly #tools = new ListingReader(TOOLS);
  readonly #resources = new ListingReader(RESOURCES);
  readonly #templates = new ListingReader(TEMPLATES);
  readonly #prompts = new ListingReader(PROMPTS);
  readonly #listings = [this.#tools, this.#resources, this.#templates, this.#prompts] as const;
  readonly #identity: Follower = { answered: (_seq, answerSeq, result) => this.#identified(answerSeq, result) };
  /** By method: a new derived fact is a new row here. */
  readonly #followers: ReadonlyMap<string, Follower> = new Map<string, Follower>([
    ['initialize', this.#identity],
    ['server/discover', this.#identity],
    ...this.#listings.map((reader): [string, Follower] => [reader.kind.method, reader]),
  ]);
  readonly #inbox: InboxReader;
  #http: HttpFacts = {};
  #stderrSeqs: number[] = [];
  #stderrBytes = 0;
  #printedLines = 0;
  #state: LogState | undefined;

  readonly #notes: () => NotesState;

  /** `carrier` tells the HTTP exchange that a frame travelled on, `notes` what people say. */
  constructor(carrier: (seq: number) => number | undefined, notes: () => NotesState) {
    this.#inbox = new InboxReader(carrier);
    this.#notes = notes;
  }

  /** Built when asked for after a change: a flood of frames costs one state, not one each. */
  get state(): LogState {
    this.#state ??= {
      connection: this.#connectionFacts,
      server: this.#server,
      tools: this.#tools.listing,
      resources: this.#resources.listing,
      templates: this.#templates.listing,
      prompts: this.#prompts.listing,
      inbox: this.#inbox.state,
      http: this.#http,
      notes: this.#notes(),
      printedLines: this.#printedLines,
      stderr: { seqs: this.#stderrSeqs.slice(-LIMITS.stderrSeqs), bytes: this.#stderrBytes },
    };
    return this.#state;
  }

  /** The same object until there is another lifecycle frame. */
  get #connectionFacts(): ConnectionFacts {
    if (this.#connection.seqs.length < this.#lifecycleSeqs.length) {
      this.#connection = { ...this.#connection, seqs: [...this.#lifecycleSeqs] };
    }
    return this.#connection;
  }

  /** Whether state is made of this method's requests and answers. */
  follows(method: string | undefined): boolean {
    return this.#followers.has(method ?? '');
  }

  lifecycle(seq: number, event: LifecycleEvent | undefined): void {
    this.#connection = nextFacts(this.#connection, seq, event);
    this.#lifecycleSeqs.push(seq);
    this.#inbox.lifecycle(seq, event);
    this.#state = undefined;
  }

  /** There are other notes now. */
  noted(): void {
    this.#state = undefined;
  }

  /** So many lines are of printed objects, but for the first ones. */
  printed(lines: number): void {
    this.#printedLines = lines;
    this.#state = undefined;
  }

  stderr(seq: number, bytes: number): void {
    this.#stderrSeqs.push(seq);
    this.#stderrBytes += bytes;
    if (this.#stderrSeqs.length >= 2 * LIMITS.stderrSeqs) this.#stderrSeqs = this.#stderrSeqs.slice(-LIMITS.stderrSeqs);
    this.#state = undefined;
  }

  http(facts: HttpFacts): void {
    if (facts === this.#http) return;
    this.#http = facts;
    this.#state = undefined;
  }

  /** A message, in a batch or not. */
  message(seq: number, direction: Direction, message: Message): void {
    this.#inbox.message(seq, direction, message);
    if (this.#state && this.#state.inbox !== this.#inbox.state) this.#state = undefined;
  }

  /** A request of ours, alone in its frame. */
  requested(seq: number, message: Message): void {
    const follower = this.#followers.get(message.method ?? '');
    if (!follower?.requested) return;
    follower.requested(seq, own(message.body, 'params'));
    this.#state = undefined;
  }

  /** A request of ours with this method was answered, or no longer will be. */
  settled(seq: number, method: string | undefined, status: Status, answer?: { seq: number; message: Message }): void {
    this.#inbox.settled(seq, answer);
    const follower = this.#followers.get(method ?? '');
    // The late answer to an opening that was given up says nothing of the one that was chosen.
    if (!follower || (follower === this.#identity && status === 'cancelled')) return;
    if (answer?.message.kind === 'response') follower.answered(seq, answer.seq, own(answer.message.body, 'result'));
    else
      follower.failed?.(seq, answer && own(answer.message.body, 'error'), WHY[status] ?? 'The server sent an error.');
    this.#state = undefined;
  }

  #identified(answerSeq: number, result: unknown): void {
    const facts = toServerFacts(answerSeq, result);
    if (!facts) return;
    this.#server = facts;
    if (facts.capabilities) for (const reader of this.#listings) reader.declared(facts.capabilities);
  }
}
