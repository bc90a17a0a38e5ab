import type { JsonSource } from '@/lib/json/source';
import { decodeLossy } from '@/lib/store/classify';
import type { Log } from '@/lib/store/log';
import { toLifecycleEvent } from '@/lib/store/state/connection-facts';
import { METHOD } from '@/lib/wire/protocol-names';
import { ClientReader } from './client-facts';
import { HeldRequests } from './held-requests';
import { OpeningReader } from './opening';
import { countedName, MOST_TOOLS, Room, ToolUse } from './tool-use';
import { type HostWaits, WaitReader } from './waits';

/** Most requests without an answer whose end is waited for. Older ones are forgotten. */
const MOST_OPEN = 20_000;
/** Most methods of requests that the server sends. */
const MOST_METHODS = 50;
/** Frames that are asked for again at once, in bytes. The page holds 32 MiB of such frames. */
const AGAIN_BYTES = 8 * 1024 * 1024;
/** Frames that are looked through for others to ask for. */
const AGAIN_FRAMES = 2_000;
/** Frames read between two looks at the clock. */
const STRIDE = 64;

/** Members of the results of lists. */
const LIST_MEMBERS: ReadonlyMap<string, string> = new Map([
  ['tools/list', 'tools'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
  ['prompts/list', 'prompts'],
]);

/** How often the host answers a kind of request of the server. */
export interface AnswerUse {
  readonly method: string;
  readonly asked: number;
  readonly answered: number;
  /** Answered with an error. */
  readonly refused: number;
}

interface OpenRequest {
  readonly method: string;
  readonly at: number;
  readonly tool?: ToolUse;
  readonly parameters: readonly string[];
}

/** `behind`: there are frames to read. `waiting`: for frames that were asked for. */
export type ReadState = 'done' | 'behind' | 'waiting';

/**
 * Collects how a host uses a server, from the log of their session. A frame costs O(1) and the size of the host's
 * message, and is read once; memory is bounded, whatever both send.
 */
export class HostReader {
  readonly #log: Log;
  readonly client = new ClientReader();
  readonly opening = new OpeningReader();
  readonly #waits = new WaitReader();
  readonly #held = new HeldRequests();
  readonly #tools = new Map<string, ToolUse>();
  readonly #room = new Room();
  readonly #open = new Map<number, OpenRequest>();
  readonly #answers = new Map<string, { asked: number; answered: number; refused: number }>();
  #seen = 0;
  #settled = 0;
  #version = 0;
  #otherCalls = 0;
  #unread = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Changes when anything here does. */
  get version(): number {
    return this.#version;
  }

  /** Frames read, and all there are. */
  get progress(): { readonly done: number; readonly of: number } {
    return { done: this.#seen, of: this.#log.size };
  }

  /** Tools that were called, by their counted names. */
  get tools(): ReadonlyMap<string, ToolUse> {
    return this.#tools;
  }

  /** Calls of tools beyond `MOST_TOOLS`. */
  get otherCalls(): number {
    return this.#otherCalls;
  }

  /** Messages of the host that were not readable: no longer in the page, or not JSON within the bounds. */
  get unread(): number {
    return this.#unread;
  }

  /** Requests of the server, by method. */
  get answers(): readonly AnswerUse[] {
    return Array.from(this.#answers, ([method, use]) => ({ method, ...use }));
  }

  /** How long the host waits. */
  get waits(): HostWaits {
    return this.#waits.waits(this.#unanswered());
  }

  #unanswered(): HostWaits['unanswered'] {
    const { columns, state, size } = this.#log;
    const { state: now } = state.connection;
    if (now !== 'closed' && now !== 'failed') return undefined;
    // A subscription is answered when it ends.
    const isWaiting = (seq: number) =>
      columns.method(seq - 1) !== METHOD.listen && columns.taskSeq(seq - 1) === undefined;
    const open = [...this.#open].filter(([seq]) => isWaiting(seq));
    const [first] = open;
    return first && { seq: first[0], count: open.length, us: columns.time(size - 1) - first[1].at };
  }

  /** Reads frames until `isTimeUp`, or until one is not in the page. */
  read(isTimeUp: () => boolean): ReadState {
    for (let turn = 1; this.#seen < this.#log.size; turn++) {
      if (!this.#isHere(this.#seen)) return 'waiting';
      this.#readFrame(this.#seen);
      this.#seen++;
      const onSettled = (request: number, frame: number) => this.#onSettled(request, frame - 1);
      this.#settled = this.#log.settled.read(this.#settled, this.#seen, onSettled);
      if (turn % STRIDE === 0 && isTimeUp()) return 'behind';
    }
    return 'done';
  }

  /** True if the frame can be read, or never will be. Otherwise asks for it and for those after it. */
  #isHere(index: number): boolean {
    const { wanted, columns, size } = this.#log;
    if (!this.#isNeeded(index) || this.#log.hasBytes(index + 1) || wanted.isUnavailable(index + 1)) return true;
    let bytes = 0;
    for (let at = index; at < Math.min(size, index + AGAIN_FRAMES) && bytes <= AGAIN_BYTES; at++) {
      if (!this.#isNeeded(at) || this.#log.hasBytes(at + 1)) continue;
      bytes += columns.bytes.length(at);
      wanted.want(at + 1);
    }
    return false;
  }

  /** True for messages whose content matters. */
  #isNeeded(index: number): boolean {
    const { columns } = this.#log;
    const kind = columns.kind(index);
    if (kind === 'batch' || kind === 'response') return kind === 'batch' || this.#listOf(index) !== undefined;
    if (columns.direction(index) !== 'to-server') return false;
    return kind === 'request' || (kind === 'notification' && columns.method(index) === METHOD.cancelled);
  }

  /** Returns the member with the items of a response to a list; undefined for other frames. */
  #listOf(index: number): string | undefined {
    const { columns } = this.#log;
    const request = columns.direction(index) === 'to-client' ? columns.peer(index) : undefined;
    return request === undefined ? undefined : LIST_MEMBERS.get(columns.method(request - 1) ?? '');
  }

  #readFrame(index: number): void {
    const { columns } = this.#log;
    const kind = columns.kind(index);
    if (kind === 'batch') this.#readBatch(index);
    else if (kind === 'lifecycle') this.#readEvent(index);
    else if (kind === 'request') this.#readRequest(index);
    else if (kind === 'response' || kind === 'error') this.#readHostAnswer(index);
    else if (kind === 'notification' && columns.direction(index) === 'to-server') this.#readNotification(index);
  }

  #readEvent(index: number): void {
    const event = this.#log.hasBytes(index + 1) ? toLifecycleEvent(decodeLossy(this.#log.bytes(index))) : undefined;
    if (event) this.#held.addEvent(index + 1, this.#log.columns.time(index), event);
  }

  /** Returns the time at which the host sent a message. If a rule held it, its frame comes later. */
  #sentAt(index: number): number {
    const heldSeq = this.#log.interceptions.of(index + 1)?.heldSeq;
    return this.#log.columns.time(heldSeq === undefined ? index : heldSeq - 1);
  }

  /** True for a copy that a rule made. The host sent the message once. */
  #isCopy(index: number): boolean {
    const copies = this.#log.interceptions.of(index + 1)?.delivered.indexOf(index + 1);
    return copies !== undefined && copies > 0;
  }

  #readRequest(index: number): void {
    const { columns } = this.#log;
    const method = columns.method(index) ?? '';
    if (columns.direction(index) === 'to-client') this.#countAnswer(method, 'asked');
    else if (!this.#isCopy(index)) this.#addRequest(index, method, this.#paramsAt(index), false);
  }

  /** Adds a request of the host. The messages of a batch have no ends of their own. */
  #addRequest(index: number, method: string, params: JsonSource | undefined, isInBatch: boolean): void {
    const seq = index + 1;
    const at = this.#sentAt(index);
    this.#version++;
    this.client.addRequest(seq, method, params);
    const cursor = params?.member('cursor') !== undefined && LIST_MEMBERS.has(method);
    const name = method === 'tools/call' ? params?.member('name') : undefined;
    const sentName = name?.kind === 'string' ? String(name.value) : undefined;
    const about = sentName ?? this.#log.columns.name(index);
    this.opening.addMessage(seq, at, method, {
      about: about === undefined || method === 'initialize' ? undefined : countedName(about),
      cursor,
      isRequest: !isInBatch,
    });
    const tool = sentName === undefined ? undefined : this.#tool(countedName(sentName), seq);
    const parameters = tool?.addCall(seq, params?.member('arguments')) ?? [];
    if (isInBatch) {
      tool?.addEnd('ok', undefined, []);
      return;
    }
    const givenUp = this.#held.givenUp(this.#log.interceptions.of(seq)?.heldSeq);
    if (givenUp) {
      this.opening.addEnd(seq, givenUp.at, 'cancelled');
      tool?.addEnd(givenUp.isTimeout ? 'timeout' : 'cancelled', undefined, parameters);
      return;
    }
    this.#open.set(seq, { method, at, parameters, ...(tool && { tool }) });
    if (this.#open.size > MOST_OPEN) this.#open.delete(this.#open.keys().next().value!);
  }

  #tool(name: string, seq: number): ToolUse | undefined {
    const known = this.#tools.get(name);
    if (known) return known;
    if (this.#tools.size >= MOST_TOOLS || !this.#room.take(name.length)) {
      this.#otherCalls++;
      return undefined;
    }
    const made = new ToolUse(this.#room, seq);
    this.#tools.set(name, made);
    return made;
  }

  #readBatch(index: number): void {
    const batch = this.#log.json(index);
    if (batch === undefined) this.#unread++;
    if (batch?.kind !== 'array' || this.#log.columns.direction(index) !== 'to-server') return;
    for (const { source } of batch.children(MOST_OPEN).children) {
      const method = source.member('method')?.value;
      if (typeof method !== 'string') continue;
      if (source.member('id')) this.#addRequest(index, method, source.member('params'), true);
    }
  }

  #readHostAnswer(index: number): void {
    const { columns } = this.#log;
    const request = columns.peer(index);
    if (request === undefined || columns.direction(index) !== 'to-server') return;
    const isError = columns.kind(index) === 'error';
    this.#countAnswer(columns.method(request - 1) ?? '', isError ? 'refused' : 'answered');
  }

  /** Adds the end of a request of the host. One that got no answer stays open, and cancellations have been read. */
  #onSettled(request: number, index: number): void {
    const { columns } = this.#log;
    const open = this.#open.get(request);
    const isTask = columns.taskSeq(request - 1) !== undefined;
    if (!open || !(isTask || columns.peer(request - 1) === index + 1)) return;
    this.#version++;
    this.#open.delete(request);
    const { method, at, tool, parameters } = open;
    const [now, status] = [columns.time(index), columns.status(request - 1) ?? 'ok'];
    const member = this.#listOf(index);
    // A request that was held began when the host sent it.
    const tookUs = (this.#log.durationUs(request - 1) ?? 0) + columns.time(request - 1) - at;
    tool?.addEnd(status, Math.max(0, tookUs - this.#log.waitedForPeople(request)), parameters);
    this.opening.addEnd(request, now, status, member === undefined ? undefined : this.#listed(index, member));
    if (!isTask) this.#waits.addAnswer(request, method, now - at);
  }

  #listed(index: number, member: string): { readonly items: number; readonly hasMore: boolean } | undefined {
    const result = this.#log.json(index)?.member('result');
    const items = result?.member(member);
    if (items?.kind !== 'array') return undefined;
    return { items: items.children(0).count, hasMore: result?.member('nextCursor')?.kind === 'string' };
  }

  #readNotification(index: number): void {
    const { columns } = this.#log;
    const method = columns.method(index) ?? '';
    this.#version++;
    this.opening.addMessage(index + 1, columns.time(index), method, {
      about: undefined,
      cursor: false,
      isRequest: false,
    });
    if (method !== METHOD.cancelled || this.#isCopy(index)) return;
    const now = this.#sentAt(index);
    const params = this.#paramsAt(index);
    const request = columns.peer(index);
    if (request === undefined) this.#readHeldCancel(index, now, params);
    const open = request === undefined ? undefined : this.#open.get(request);
    if (request === undefined || !open) return;
    this.#open.delete(request);
    this.opening.addEnd(request, now, 'cancelled');
    const progress = this.#log.exchange(request)?.progress;
    const quietUs = progress && progress.seq <= index ? now - columns.time(progress.seq - 1) : -1;
    const { isTimeout } = this.#waits.addGivenUp(
      {
        seq: request,
        cancelSeq: index + 1,
        method: open.method,
        name: columns.name(request - 1),
        waitedUs: now - open.at,
        ...(quietUs >= 0 && { quietUs }),
      },
      params?.member('reason'),
    );
    open.tool?.addEnd(isTimeout ? 'timeout' : 'cancelled', undefined, open.parameters);
  }

  /** Reads a cancellation of a request that the server has not got yet. */
  #readHeldCancel(index: number, now: number, params: JsonSource | undefined): void {
    const held = this.#held.waitingFor(params?.member('requestId')?.value);
    if (!held || this.#held.givenUp(held.seq)) return;
    const { isTimeout } = this.#waits.addGivenUp(
      {
        seq: held.seq,
        cancelSeq: index + 1,
        method: held.method,
        name: undefined,
        waitedUs: now - held.at,
        ...(held.progressAt !== undefined && { quietUs: now - held.progressAt }),
      },
      params?.member('reason'),
    );
    this.#held.giveUp(held, now, isTimeout);
  }

  /** Returns the params of a message; undefined without any, or if they are not readable. */
  #paramsAt(index: number): JsonSource | undefined {
    // A rule or an overlay may have changed what the server got.
    const original = this.#log.interceptions.of(index + 1)?.original;
    const message = (original && this.#log.json(original - 1)) || this.#log.json(index);
    if (message === undefined) this.#unread++;
    return message?.member('params');
  }

  #countAnswer(method: string, what: 'asked' | 'answered' | 'refused'): void {
    this.#version++;
    const key = countedName(method);
    const use = this.#answers.get(key) ?? { asked: 0, answered: 0, refused: 0 };
    if (this.#answers.size >= MOST_METHODS && !this.#answers.has(key)) return;
    this.#answers.set(key, use);
    use[what]++;
  }
}

const KNOWN = new WeakMap<Log, HostReader>();

/** Returns the only reader of a log, so that a panel that is opened again starts where it was. */
export function hostReader(log: Log): HostReader {
  const known = KNOWN.get(log) ?? new HostReader(log);
  KNOWN.set(log, known);
  return known;
}
