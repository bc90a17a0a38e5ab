import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ChatPart } from '@/features/chat/lib/chat-frame';
import { failedCall, messagesOfPrompt, partsOfResource, partsOfResult } from '@/features/chat/lib/content-parts';
import { listedPrompts, listedResources, listedTools } from '@/features/chat/lib/listed-items';
import type { ChatServer, ModelTool } from '@/features/chat/lib/model';
import type { Connection } from '@/lib/hub/connection';
import { framesFrom } from '@/lib/hub/frame-log';
import { compactJson } from '@/lib/json/exact';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { RequestOutcome } from '@/lib/mcp/requests';
import { ConnectionError } from '@/lib/transports/transport';
import { mayHaveLists } from '@/lib/wire/declares';
import { canSend, type Failure, isFailure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { RequestId } from '@/lib/wire/message';
import { untilAborted } from '@/lib/wire/until-aborted';
import type { Launch } from '@/proxy/connection/launch';
import { listedInLog, saysChanged } from './listed-in-log';

/** How {@link ChatServer.callTool} is called. */
type CallOptions = Parameters<ChatServer['callTool']>[2];

/** Milliseconds between two looks for a list that the connection is reading, and the most looks. */
const LOOK_MS = 50;
const MOST_LOOKS = 100;

/** A list, and the number of frames that were searched for a change of it. */
interface KnownList {
  readonly items: Promise<readonly JsonObject[]>;
  seen: number;
}

/** A connection as a server of a chat. Everything it sends is a real exchange in the connection's log. */
export class ConnectionServer implements ChatServer {
  readonly name: string;
  readonly #connection: Connection<Launch>;
  /** Lists by method. */
  readonly #lists = new Map<string, KnownList>();
  /** Those that run. */
  readonly #calls = new Set<CallOptions>();
  #isWaiting = false;

  constructor(name: string, connection: Connection<Launch>) {
    this.name = name;
    this.#connection = connection;
  }

  get connection(): string {
    return this.#connection.id;
  }

  get recording(): string | undefined {
    return recordingIn(this.#connection).recording;
  }

  /** The connection has ended, and nothing waits for it. */
  get isOver(): boolean {
    const { state } = this.#connection.server;
    return this.#calls.size === 0 && (state === 'closed' || state === 'failed');
  }

  async tools(): Promise<readonly ModelTool[]> {
    return listedTools(await this.#list('tools/list', 'tools', 'tools'));
  }

  async prompts() {
    return listedPrompts(await this.#list('prompts/list', 'prompts', 'prompts'));
  }

  async resources() {
    return listedResources(await this.#list('resources/list', 'resources', 'resources'));
  }

  async getPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal) {
    return messagesOfPrompt(await this.#result('prompts/get', { name, arguments: args }, signal));
  }

  async readResource(uri: string, signal: AbortSignal): Promise<readonly ChatPart[]> {
    return partsOfResource(await this.#result('resources/read', { uri }, signal));
  }

  async callTool(tool: string, _args: JsonObject, call: CallOptions) {
    const { signal, text, onSent } = call;
    this.#calls.add(call);
    try {
      const params = `{"name":${JSON.stringify(tool)},"arguments":${compactJson(text)}}`;
      const outcome = await this.#ask('tools/call', params, signal, onSent);
      if (outcome.kind === 'result') return partsOfResult(outcome.result);
      return failedCall(failureText(outcome));
    } catch (error) {
      signal.throwIfAborted();
      if (!isFailure(error)) throw error;
      return failedCall(`${error.message} ${error.advice}`);
    } finally {
      this.#calls.delete(call);
    }
  }

  /** Tells the calls whether a question of the server waits for a person. */
  inboxChanged(): void {
    const isWaiting = this.#connection.inbox.size > 0;
    if (isWaiting === this.#isWaiting) return;
    this.#isWaiting = isWaiting;
    for (const { onWaiting } of this.#calls) onWaiting?.(isWaiting);
  }

  /** Returns the members of a list, which is read again once the server says that it changed. */
  async #list(method: string, capability: string, member: string): Promise<readonly JsonObject[]> {
    const { negotiated } = this.#connection.server;
    if (negotiated && !mayHaveLists(negotiated, capability)) return [];
    const known = this.#lists.get(method);
    if (known && !(await this.#hasChanged(known, capability))) return known.items;
    const { log } = this.#connection;
    // The connection reads each list once it is open, and again when it changed.
    const logged = known ? undefined : await this.#listInLog({ method, capability, member });
    // Somebody else may have begun meanwhile.
    if (this.#lists.get(method) !== known) return this.#list(method, capability, member);
    const read: KnownList = {
      items: logged ? Promise.resolve(logged) : this.#readList(method, member),
      seen: log.last,
    };
    this.#lists.set(method, read);
    read.items.catch(() => this.#lists.delete(method));
    return read.items;
  }

  /** Returns a list that the connection has read, or is reading. */
  async #listInLog(kind: Parameters<typeof listedInLog>[1]): Promise<readonly JsonObject[] | undefined> {
    const { log, server } = this.#connection;
    for (let look = 0; look < MOST_LOOKS && canSend(server.state); look++) {
      const found = await listedInLog(log, kind);
      if (found !== 'coming') return found;
      await setTimeout(LOOK_MS);
    }
    return undefined;
  }

  async #readList(method: string, member: string): Promise<readonly JsonObject[]> {
    const items: JsonObject[] = [];
    const cursors = new Set<string>();
    let params: JsonObject = {};
    for (let page = 0; page < LIMITS.listPages; page++) {
      const result = await this.#result(method, params, new AbortController().signal);
      const listed = isObject(result) ? own(result, member) : undefined;
      if (Array.isArray(listed)) for (const item of listed) if (isObject(item)) items.push(item);
      const cursor = isObject(result) ? own(result, 'nextCursor') : undefined;
      if (typeof cursor !== 'string' || cursors.has(cursor)) break;
      cursors.add(cursor);
      params = { cursor };
    }
    return items;
  }

  /** Returns true if the server has said that a list changed since it was read, or looked at last. */
  async #hasChanged(list: KnownList, capability: string): Promise<boolean> {
    const { log } = this.#connection;
    for (let seq = list.seen + 1; seq <= log.last; ) {
      const frames = framesFrom(await log.segmentOf(seq), seq);
      if (frames.some((frame) => saysChanged(frame, capability))) return true;
      seq += frames.length;
      list.seen = Math.max(list.seen, seq - 1);
    }
    return false;
  }

  async #result(method: string, params: JsonObject, signal: AbortSignal): Promise<unknown> {
    const outcome = await this.#ask(method, JSON.stringify(params), signal, () => {});
    if (outcome.kind === 'result') return outcome.result;
    throw new ConnectionError({
      code: 'chat-request-failed',
      message: `${method} of ${this.name} failed: ${failureText(outcome)}`,
      advice: 'See the exchange in the log of the server.',
    });
  }

  /** Sends a request. Rejects with the signal's reason, and with a ConnectionError. */
  async #ask(
    method: string,
    params: string,
    signal: AbortSignal,
    onSent: (seq: number) => void,
  ): Promise<RequestOutcome> {
    signal.throwIfAborted();
    const { server } = this.#connection;
    if (!canSend(server.state)) throw new ConnectionError(server.failure ?? NOT_OPEN);
    let latest: RequestId | undefined;
    const handle = this.#connection.request(method, params, {
      followsTask: true,
      onAgain: (id) => {
        latest = id;
      },
    });
    latest = handle.id;
    onSent(handle.seq);
    const cancel = (): void => {
      if (latest !== undefined && canSend(server.state)) server.cancel(latest);
    };
    signal.addEventListener('abort', cancel);
    try {
      // A server that ignores the cancellation must not hold up the chat.
      return await untilAborted(handle.outcome, signal);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }
}

/** Returns the name of the file that records a connection, for frames of a chat. */
export function recordingIn({ summary: { recordedIn } }: Connection<Launch>): { readonly recording?: string } {
  return recordedIn === undefined ? {} : { recording: basename(recordedIn) };
}

/** Says why there is no result. */
function failureText(outcome: Exclude<RequestOutcome, { readonly kind: 'result' }>): string {
  if (outcome.kind === 'error') return `Error ${outcome.error.code}: ${outcome.error.message}`;
  if (outcome.kind === 'timeout') return 'The server did not answer in time.';
  return outcome.kind === 'cancelled' ? 'The call was cancelled.' : 'The server went away before it answered.';
}

const NOT_OPEN: Failure = {
  code: 'not-open',
  message: 'The connection is not open.',
  advice: 'Restart the server, then try again.',
};
