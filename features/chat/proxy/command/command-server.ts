import type { ChatMessage, ChatPart } from '@/features/chat/lib/chat-frame';
import { failedCall, messagesOfPrompt, partsOfResource, partsOfResult } from '@/features/chat/lib/content-parts';
import { listedPrompts, listedResources, listedTools } from '@/features/chat/lib/listed-items';
import type { ChatServer, ModelTool } from '@/features/chat/lib/model';
import type { JsonObject } from '@/lib/json/value';
import type { Negotiated } from '@/lib/mcp/handshake';
import { tableVersion } from '@/lib/protocol/rows';
import { declares } from '@/lib/wire/declares';
import { isFailure, type ProtocolVersion } from '@/lib/wire/lifecycle';
import { untilAborted } from '@/lib/wire/until-aborted';
import { EXIT, ExitError } from '@/proxy/cli/exit-code';
import { ListedEntries } from '@/proxy/commands/headless/listed-entries';
import { pagesOf, requireResult } from '@/proxy/commands/headless/results';
import { errorSentence, type ServerConnection } from '@/proxy/commands/headless/server-connection';
import type { EndingServer, FailedServer } from './failed-server';

/** How {@link ChatServer.callTool} is called. */
type CallOptions = Parameters<ChatServer['callTool']>[2];

/** A server of a subcommand, as a chat uses it. Everything it sends is a real exchange. */
export class CommandServer implements EndingServer {
  readonly name: string;
  readonly connection: string;
  readonly version: ProtocolVersion;
  lost: FailedServer | undefined;
  readonly #link: Pick<ServerConnection, 'request'>;
  readonly #capabilities: JsonObject;
  /** Lists by method. */
  readonly #lists = new Map<string, Promise<readonly JsonObject[]>>();
  /** Calls that run, so that a question of the server finds those that wait. */
  readonly #running = new Set<CallOptions>();

  /** `connection` is its id in the log of the chat. */
  constructor(
    name: string,
    connection: string,
    link: Pick<ServerConnection, 'request'>,
    negotiated: Negotiated | undefined,
  ) {
    this.name = name;
    this.connection = connection;
    this.#link = link;
    this.version = tableVersion(negotiated?.version ?? '');
    this.#capabilities = negotiated?.capabilities ?? {};
  }

  async tools(): Promise<readonly ModelTool[]> {
    return listedTools(await this.#list('tools/list', 'tools'));
  }

  async prompts() {
    return listedPrompts(await this.#list('prompts/list', 'prompts'));
  }

  async resources() {
    return listedResources(await this.#list('resources/list', 'resources'));
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<readonly ChatMessage[]> {
    return messagesOfPrompt(await this.#result('prompts/get', { name, arguments: args }, signal));
  }

  async readResource(uri: string, signal: AbortSignal): Promise<readonly ChatPart[]> {
    return partsOfResource(await this.#result('resources/read', { uri }, signal));
  }

  async callTool(tool: string, args: JsonObject, options: CallOptions) {
    const { signal, onSent, text } = options;
    signal.throwIfAborted();
    this.#running.add(options);
    // Parsing would round long numbers.
    const params = `{"name":${JSON.stringify(tool)},"arguments":${text || JSON.stringify(args)}}`;
    try {
      const asked = this.#link.request('tools/call', params, undefined, signal, { onSent });
      // A server that ignores the cancellation must not hold up the chat.
      const answer = await untilAborted(asked, signal);
      return answer.kind === 'result' ? partsOfResult(answer.result) : failedCall(errorSentence(answer));
    } catch (error) {
      signal.throwIfAborted();
      return failedCall(sentenceOf(error));
    } finally {
      this.#running.delete(options);
    }
  }

  /** The server’s lists have changed: reads them again when they are needed. */
  forgetLists(): void {
    this.#lists.clear();
  }

  /** A question of the server waits for a person, or no longer does. */
  setWaiting(waiting: boolean): void {
    for (const { onWaiting } of this.#running) onWaiting?.(waiting);
  }

  /** Reads a list once. `member` names the list and its capability. A server that declares none has an empty list. */
  #list(method: string, member: string): Promise<readonly JsonObject[]> {
    if (!declares(this.#capabilities, [member])) return Promise.resolve([]);
    const known = this.#lists.get(method) ?? this.#readPages(method, member);
    this.#lists.set(method, known);
    // The next question tries again.
    known.catch(() => this.#lists.delete(method));
    return known;
  }

  async #readPages(method: string, member: string): Promise<readonly JsonObject[]> {
    const list = new ListedEntries(member);
    for await (const page of pagesOf(this.#link, method)) {
      requireResult(page);
      list.addPage(page);
    }
    return list.entries;
  }

  async #result(method: string, params: JsonObject, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    const asked = this.#link.request(method, JSON.stringify(params), undefined, signal);
    return requireResult(await untilAborted(asked, signal)).result;
  }
}

/** Says why a request has no result. Throws an error that is our own. */
function sentenceOf(error: unknown): string {
  if (isFailure(error)) return `${error.message} ${error.advice}`;
  if (error instanceof ExitError && error.exitCode !== EXIT.internal) return error.message;
  throw error;
}
