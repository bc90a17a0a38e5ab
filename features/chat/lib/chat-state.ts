import { estimateTokens } from '@/lib/wire/token-estimate';
import type {
  CallDecision,
  CallFault,
  ChatEvent,
  ChatFailure,
  ChatMessage,
  ChatPart,
  ChatSettings,
  DialectLoss,
  OfferedTool,
  StopReason,
  TokenPart,
  ToolCallPart,
  ToolResultPart,
  Usage,
} from './chat-frame';
import { addUsage, costOf, type UsageTotals } from './usage';

/** A piece of what the model wrote, in its order. */
export type ChatBlock =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'call'; readonly id: string };

/** A request that failed and was sent again. */
export interface ChatRetry {
  readonly attempt: number;
  readonly waitMs: number;
  readonly failure: ChatFailure;
  /** The frame. */
  readonly seq: number;
}

/** One request to the model, with what came back so far. Bodies stay in their frames. */
export interface ChatModelCall {
  readonly number: number;
  /** Frame of the last attempt, whose body is what the provider got; 0 if it is missing. */
  readonly seq: number;
  readonly url?: string;
  readonly tokens: readonly TokenPart[];
  readonly losses: readonly DialectLoss[];
  readonly tools: readonly OfferedTool[];
  readonly retries: readonly ChatRetry[];
  /** Pieces of the last attempt. */
  readonly blocks: readonly ChatBlock[];
  readonly response?: {
    readonly seq: number;
    readonly reason: StopReason;
    readonly status?: number;
    readonly usage?: Usage;
    readonly milliseconds: number;
    readonly message: ChatMessage;
  };
}

/** A frame in the log of a connection. */
export interface FrameOfConnection {
  readonly connection: string;
  readonly seq: number;
  /** Name of the file that records the connection. */
  readonly recording?: string;
}

/** A call, in the turn that has it. */
export interface ChatCall {
  readonly turn: string;
  readonly request: number;
  /** The frame in which the model wrote it. */
  readonly seq: number;
  readonly call: ToolCallPart;
  readonly server?: string;
  readonly tool?: string;
  readonly faults: readonly CallFault[];
  readonly asked: boolean;
  readonly decision?: CallDecision;
  readonly by?: 'person' | 'rule' | 'loop';
  /** The request's frame in the log of its connection. */
  readonly sent?: FrameOfConnection;
  readonly result?: ToolResultPart;
  readonly resultSeq?: number;
  readonly cutFrom?: number;
  /** The answer was stopped before the call had a result. */
  readonly stopped?: true;
  readonly milliseconds?: number;
}

/** `written`: nothing is decided. `stopped`: the chat ended before the call did. */
export type CallState = 'written' | 'waiting' | 'running' | 'done' | 'failed' | 'answered' | 'refused' | 'stopped';

interface Turn {
  readonly id: string;
  readonly parent?: string;
  /** Turns that follow, oldest first. More than one are branches. */
  readonly children: readonly string[];
  /** The choices when it began. */
  readonly settings?: ChatSettings;
  /** The frame that began it. */
  readonly seq: number;
  /** Grows with each event of the turn. Other fields change in place. */
  readonly version: number;
}

export interface UserTurn extends Turn {
  readonly kind: 'user';
  readonly parts: readonly ChatPart[];
}

/** An answer, or a completion for a server, which has one request and is outside the tree. */
export interface AnswerTurn extends Turn {
  readonly kind: 'answer' | 'sampling';
  /** Who asked for a completion. */
  readonly from?: {
    readonly server: string;
    readonly connection: string;
    readonly seq?: number;
    readonly recording?: string;
    readonly input?: string;
    readonly params: string;
  };
  readonly requests: readonly ChatModelCall[];
  /** In the order of the model. */
  readonly calls: readonly ChatCall[];
  readonly usage: UsageTotals;
  readonly end?: { readonly reason: StopReason; readonly failure?: ChatFailure; readonly seq: number };
}

export type ChatTurn = UserTurn | AnswerTurn;

type Writable<T> = T extends ChatTurn | ChatModelCall | ChatCall
  ? { -readonly [K in keyof T]: T[K] extends readonly (infer U)[] ? U[] : T[K] }
  : never;

/**
 * A chat as its events tell it. Each event costs the same, however long the chat is. Events that make no sense, of a
 * damaged or hostile recording, are ignored. `version` grows with each event; turns change in place.
 */
export class ChatState {
  readonly #turns = new Map<string, Writable<ChatTurn>>();
  readonly #calls = new Map<string, Writable<ChatCall>>();
  readonly #roots: string[] = [];
  readonly #sampling: string[] = [];
  #settings: ChatSettings | undefined;
  #tools: readonly OfferedTool[] = [];
  #usage: UsageTotals = {};
  #version = 0;

  get version(): number {
    return this.#version;
  }

  /** The person's last choices. */
  get settings(): ChatSettings | undefined {
    return this.#settings;
  }

  /** The tools of the last request. */
  get tools(): readonly OfferedTool[] {
    return this.#tools;
  }

  /** Sums of all requests, in all branches. */
  get usage(): UsageTotals {
    return this.#usage;
  }

  /** First messages, oldest first. */
  get roots(): readonly string[] {
    return this.#roots;
  }

  /** Completions for servers, oldest first. */
  get sampling(): readonly string[] {
    return this.#sampling;
  }

  get turns(): ReadonlyMap<string, ChatTurn> {
    return this.#turns;
  }

  /** Calls of all turns by id. */
  get calls(): ReadonlyMap<string, ChatCall> {
    return this.#calls;
  }

  /** Returns the turns from the first message to `id`; none for an unknown turn. */
  pathTo(id: string | undefined): readonly ChatTurn[] {
    const path: ChatTurn[] = [];
    // Ends: a turn's parent is always older.
    for (let turn = this.#turn(id); turn !== undefined; turn = this.#turn(turn.parent)) path.push(turn);
    return path.reverse();
  }

  /** Returns the newest branch's last turn, from `id` or from the newest first message. */
  leafFrom(id?: string): string | undefined {
    let at = id ?? this.#roots.at(-1);
    for (let turn = this.#turn(at); turn !== undefined; turn = this.#turn(turn.children.at(-1))) at = turn.id;
    return at;
  }

  /** Adds an event. `seq` is the number of its frame. */
  apply(event: ChatEvent, seq: number): void {
    this.#version++;
    if (event.type === 'settings') {
      this.#settings = event.settings;
    } else if (event.type === 'user' || event.type === 'answer' || event.type === 'sampling') {
      this.#begin(event, seq);
    } else {
      const turn = this.#turn(event.turn);
      if (turn === undefined || turn.kind === 'user') return;
      turn.version++;
      if (event.type === 'tools') this.#tools = event.tools;
      else if (event.type === 'end')
        turn.end = { reason: event.reason, ...(event.failure && { failure: event.failure }), seq };
      else if ('request' in event) this.#inRequest(turn, event, seq);
      else this.#inCall(turn, event, seq);
    }
  }

  #turn(id: string | undefined): Writable<ChatTurn> | undefined {
    return id === undefined ? undefined : this.#turns.get(id);
  }

  #begin(event: ChatEvent & { readonly type: 'user' | 'answer' | 'sampling' }, seq: number): void {
    if (this.#turns.has(event.turn)) return;
    const parent = event.type === 'sampling' ? undefined : this.#turn(event.parent);
    const base = {
      id: event.turn,
      ...(parent && { parent: parent.id }),
      children: [],
      ...(this.#settings && { settings: this.#settings }),
      seq,
      version: 0,
    };
    if (event.type === 'user') this.#turns.set(event.turn, { ...base, kind: 'user', parts: [...event.parts] });
    else {
      const { type: kind } = event;
      const from = event.type === 'sampling' ? { from: fromOf(event) } : {};
      this.#turns.set(event.turn, { ...base, ...from, kind, requests: [], calls: [], usage: {} });
    }
    if (event.type === 'sampling') this.#sampling.push(event.turn);
    else if (parent === undefined) this.#roots.push(event.turn);
    else {
      parent.children.push(event.turn);
      parent.version++;
    }
  }

  #inRequest(
    turn: Writable<AnswerTurn>,
    event: ChatEvent & { readonly type: 'request' | 'text' | 'reasoning' | 'call' | 'response' | 'retry' },
    seq: number,
  ): void {
    const request = this.#requestFor(turn, event.request);
    if (request === undefined) return;
    if (event.type === 'request') {
      request.seq = seq;
      request.tokens = [...event.tokens];
      request.losses = [...event.losses];
      request.tools = this.#tools as OfferedTool[];
      if (event.url !== undefined) request.url = event.url;
    } else if (event.type === 'response') {
      const { reason, status, usage, milliseconds, message } = event;
      // A retry follows a failed response, so there may be several. All tokens count.
      request.response = {
        seq,
        reason,
        ...(status !== undefined && { status }),
        ...(usage && { usage }),
        milliseconds,
        message,
      };
      // The same texts as in the message, so that they are in memory once.
      if (reason !== 'error') request.blocks = message.parts.flatMap(blockOf);
      if (usage !== undefined) {
        const cost = costOf(usage, turn.settings?.price);
        turn.usage = addUsage(turn.usage, usage, cost);
        this.#usage = addUsage(this.#usage, usage, cost);
      }
    } else if (event.type === 'retry') {
      const { attempt, waitMs, failure } = event;
      request.retries.push({ attempt, waitMs, failure, seq });
      // The failed attempt's pieces stay in the log only.
      request.blocks = [];
      delete request.response;
    } else if (event.type === 'call') {
      this.#addCall(turn, request, event, seq);
    } else {
      const last = request.blocks.at(-1);
      // Engines join such strings without copying them.
      if (last?.type === event.type)
        request.blocks[request.blocks.length - 1] = { type: event.type, text: last.text + event.text };
      else request.blocks.push({ type: event.type, text: event.text });
    }
  }

  /** Returns the turn's last request. A later one begins, even if its own frame is missing. */
  #requestFor(turn: Writable<AnswerTurn>, number: number): Writable<ChatModelCall> | undefined {
    const last = turn.requests.at(-1);
    if (last !== undefined && last.number >= number)
      return last.number === number ? (last as Writable<ChatModelCall>) : undefined;
    const request: Writable<ChatModelCall> = {
      number,
      seq: 0,
      tokens: [],
      losses: [],
      tools: [],
      retries: [],
      blocks: [],
    };
    turn.requests.push(request);
    return request;
  }

  #addCall(
    turn: Writable<AnswerTurn>,
    request: Writable<ChatModelCall>,
    event: ChatEvent & { readonly type: 'call' },
    seq: number,
  ): void {
    if (this.#calls.has(event.call.id)) return;
    const call: Writable<ChatCall> = {
      turn: turn.id,
      request: request.number,
      seq,
      call: event.call,
      ...(event.server !== undefined && { server: event.server }),
      ...(event.tool !== undefined && { tool: event.tool }),
      faults: [...(event.faults ?? [])],
      asked: false,
    };
    this.#calls.set(event.call.id, call);
    turn.calls.push(call);
    request.blocks.push({ type: 'call', id: event.call.id });
  }

  #inCall(
    turn: Writable<AnswerTurn>,
    event: ChatEvent & { readonly type: 'ask' | 'decision' | 'sent' | 'result' },
    seq: number,
  ): void {
    const call = this.#calls.get(event.call);
    if (call === undefined || call.turn !== turn.id) return;
    if (event.type === 'ask') call.asked = true;
    else if (event.type === 'decision') {
      call.decision = event.decision;
      call.by = event.by;
    } else if (event.type === 'sent') {
      const { connection, seq: frame, recording } = event;
      call.sent = { connection, seq: frame, ...(recording !== undefined && { recording }) };
    } else {
      call.result = event.result;
      call.resultSeq = seq;
      call.milliseconds = event.milliseconds;
      if (event.cutFrom !== undefined) call.cutFrom = event.cutFrom;
      if (event.stopped) call.stopped = true;
    }
  }
}

function fromOf(event: ChatEvent & { readonly type: 'sampling' }): NonNullable<AnswerTurn['from']> {
  const { type: _, turn: __, ...from } = event;
  return from;
}

function blockOf(part: ChatPart): ChatBlock[] {
  if (part.type === 'text' || part.type === 'reasoning') return part.text === '' ? [] : [part];
  return part.type === 'call' ? [{ type: 'call', id: part.id }] : [];
}

/** Returns how far a call is. */
export function callState(call: ChatCall, turn: AnswerTurn): CallState {
  const { decision, result } = call;
  if (result !== undefined) {
    if (decision?.kind === 'refuse') return 'refused';
    if (decision?.kind === 'answer') return 'answered';
    if (call.stopped || decision === undefined) return 'stopped';
    return result.isError ? 'failed' : 'done';
  }
  // The server that asked for the completion makes it.
  if (turn.kind === 'sampling') return 'written';
  if (turn.end !== undefined) return 'stopped';
  if (decision !== undefined) return 'running';
  return call.asked ? 'waiting' : 'written';
}

/** Returns the tokens of a request and its answer: as the provider counted them, else estimated. */
export function tokensOf({ tokens, response }: ChatModelCall): number {
  const { inputTokens, outputTokens } = response?.usage ?? {};
  const written = response ? JSON.stringify(response.message.parts) : '';
  return (
    (inputTokens ?? tokens.reduce((sum, part) => sum + part.tokens, 0)) + (outputTokens ?? estimateTokens(written))
  );
}

/** Returns all text that the model wrote in a turn, without its reasoning. */
export function writtenText(turn: AnswerTurn): string {
  const texts = turn.requests.map(({ blocks }) =>
    blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''),
  );
  return texts.filter((text) => text !== '').join('\n\n');
}
