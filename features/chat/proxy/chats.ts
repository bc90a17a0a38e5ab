import type {
  ChatReplies,
  ChatRequest,
  ChatSummary,
  ModelsReply,
  SamplingChoice,
  ServerOffer,
} from '@/features/chat/lib/chat-api';
import { type ChatMessage, type ChatPart, type ChatSettings, USUAL_LIMITS } from '@/features/chat/lib/chat-frame';
import { ChatState } from '@/features/chat/lib/chat-state';
import { type CutResult, cutResult } from '@/features/chat/lib/cut-result';
import { type Model, ModelError } from '@/features/chat/lib/model';
import type { Connection } from '@/lib/hub/connection';
import type { FrameLog } from '@/lib/hub/frame-log';
import { ConnectionError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import { entryOf } from '@/lib/wire/command';
import type { Failure } from '@/lib/wire/lifecycle';
import { type Launch, launchSecrets } from '@/proxy/connection/launch';
import type { ConnectionRecorder } from '@/proxy/recorder/connection-recorder';
import { ChatLog } from './chat-log';
import { ChatReplay, readChatLog } from './chat-replay';
import { ConnectionServer } from './connection-server';
import { PageChat } from './page-chat';
import { SamplingChat } from './sampling-chat';
import { uniqueNames } from './unique-names';

/** Chats of one run of the proxy. Each holds its whole log. */
const MOST_CHATS = 100;

/** A source of models. Each method rejects with a ModelError. */
export interface ChatModels {
  /** `provider`: one that somebody chose. */
  list(provider: string | undefined, baseUrl: string | undefined): Promise<ModelsReply>;
  load(settings: ChatSettings): Promise<Model>;
  /** Throws a ModelError if the settings must not be recorded: their URL may have a password. */
  check(settings: ChatSettings): void;
  /** Keeps a typed key in memory. */
  setKey(provider: string, baseUrl: string | undefined, key: string): void;
  /** Keys, which are kept out of everything that leaves a log. */
  keys(): readonly string[];
}

/** The proxy's services for chats. */
interface ChatsHost {
  readonly clock: Clock;
  readonly models: ChatModels;
  /** Returns the newest run of an entry. Throws ConnectionError. */
  newestRunOf(entry: string): Connection<Launch>;
  /** Returns a connection. Throws ConnectionError. */
  connection(id: string): Connection<Launch>;
  /** Starts the recording of a chat. Absent: chats are not recorded. */
  record?(chat: ChatLog, name: string): ConnectionRecorder | undefined;
  /** Called when the log of a chat has new frames. */
  onGrown(id: string): void;
  onForgotten(id: string): void;
  /** Returns the log of a connection, a recording or a chat. Throws ConnectionError. */
  logOf(id: string): Pick<FrameLog, 'last' | 'segmentOf'>;
}

/** The chats of the page. What happens in them is in their logs. */
export class Chats {
  readonly #host: ChatsHost;
  readonly #chats = new Map<string, PageChat>();
  /** Sampling requests by the entry of the server. */
  readonly #sampling = new Map<string, SamplingChat>();
  readonly #recorders = new Map<string, ConnectionRecorder>();
  /** A connection may have another name in each chat. */
  readonly #servers = new Set<ConnectionServer>();
  #newest = 0;

  constructor(host: ChatsHost) {
    this.#host = host;
  }

  /** Returns the log of a chat. */
  get(id: string): ChatLog | undefined {
    return this.#any(id)?.log;
  }

  /** Called when a question of a server begins or ends to wait for a person. */
  inboxChanged(connection: Connection<Launch>): void {
    for (const server of this.#servers) if (server.connection === connection.id) server.inboxChanged();
    this.#sampling.get(entryOf(connection.summary))?.look(connection);
  }

  /** Carries out a request of the page. Rejects with a Failure. */
  async run(request: ChatRequest): Promise<unknown> {
    try {
      return await (HANDLERS[request.kind] as Handler<ChatRequest>)(this, request);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      throw new ConnectionError({ code: error.code, message: error.message, advice: error.advice });
    }
  }

  /** Stops every answer and ends the recordings. */
  async close(): Promise<void> {
    await Promise.all(this.#all.map((chat) => chat.cancel()));
    await Promise.all(Array.from(this.#recorders.values(), (recorder) => recorder.end()));
    await Promise.all(this.#all.map(({ log }) => log.log.close()));
  }

  list(): readonly ChatSummary[] {
    return this.#all.map(({ summary }) => {
      const path = this.#recorders.get(summary.id)?.path;
      return { ...summary, ...(path !== undefined && { recordedIn: path }) };
    });
  }

  get models(): ChatModels {
    return this.#host.models;
  }

  setKey(...key: Parameters<ChatModels['setKey']>): void {
    this.#host.models.setKey(...key);
    for (const { log } of this.#all) log.redactor.addGivenSecrets(this.#host.models.keys());
  }

  /** Starts a chat. Throws ConnectionError. */
  start(connections: readonly string[], settings: ChatSettings): string {
    const { clock, models } = this.#host;
    const log = this.#newLog(settings);
    const { id } = log;
    const used = new Set<Connection<Launch>>();
    const chat = new PageChat(log, {
      clock,
      load: (chosen) => models.load(chosen),
      serversOf: (entries) => {
        for (const entry of entries) {
          const connection = this.#host.newestRunOf(entry);
          used.add(connection);
          log.redactor.addGivenSecrets(launchSecrets(connection.launch));
        }
        return this.#serversOf(entries);
      },
      learnSecrets() {
        for (const { answeredSecrets } of used) log.redactor.addGivenSecrets(answeredSecrets);
      },
    });
    chat.change(settings, connections);
    this.#chats.set(id, chat);
    this.#record(log, 'chat');
    return id;
  }

  /** Chooses who answers the sampling requests of a server. Returns the id of their log. Throws ConnectionError. */
  chooseSampling(entry: string, choice: SamplingChoice): string {
    const connection = this.#host.newestRunOf(entry);
    let chat = this.#sampling.get(entry);
    if (chat) this.models.check(choice.settings);
    else {
      const { clock, models } = this.#host;
      const log = this.#newLog(choice.settings);
      const { name } = connection.summary;
      chat = new SamplingChat(log, entry, name, choice, {
        clock,
        load: (settings) => models.load(settings),
        learnSecrets({ launch, answeredSecrets }) {
          log.redactor.addGivenSecrets([...launchSecrets(launch), ...answeredSecrets]);
        },
      });
      this.#sampling.set(entry, chat);
      this.#record(log, `${name}, sampling`);
    }
    chat.choose(choice, connection);
    return chat.log.id;
  }

  /** Gives the sampling request of a server to the chosen model. Throws ConnectionError. */
  complete({ connection: id, id: question, key, params }: Extract<ChatRequest, { readonly kind: 'complete' }>): void {
    const { chat, connection } = this.#samplingOf(id);
    chat.complete(connection, question, key, params);
  }

  stop({ connection: id, id: question, key }: Extract<ChatRequest, { readonly kind: 'stop' }>): void {
    const { chat, connection } = this.#samplingOf(id);
    chat.stop(connection, question, key);
  }

  #samplingOf(id: string): { readonly chat: SamplingChat; readonly connection: Connection<Launch> } {
    const connection = this.#host.connection(id);
    const chat = this.#sampling.get(entryOf(connection.summary));
    if (!chat) throw new ConnectionError(NO_MODEL);
    return { chat, connection };
  }

  /** Returns the log of another chat. Throws ConnectionError and ModelError. */
  #newLog(settings: ChatSettings): ChatLog {
    if (this.#chats.size + this.#sampling.size >= MOST_CHATS) throw new ConnectionError(TOO_MANY);
    this.models.check(settings);
    const id = `m${++this.#newest}`;
    return new ChatLog(id, this.#host.clock, this.models.keys(), () => {
      this.#recorders.get(id)?.onLogGrown();
      this.#host.onGrown(id);
    });
  }

  #record(log: ChatLog, name: string): void {
    const recorder = this.#host.record?.(log, name);
    if (recorder) this.#recorders.set(log.id, recorder);
  }

  /** All logs, oldest first. */
  get #all(): readonly (PageChat | SamplingChat)[] {
    return [...this.#chats.values(), ...this.#sampling.values()];
  }

  #any(id: string): PageChat | SamplingChat | undefined {
    return this.#chats.get(id) ?? this.#all.find(({ log }) => log.id === id);
  }

  /** Runs a branch of the chat in a log again, as a new chat. Rejects with a ConnectionError. */
  async replay(source: string, leaf: string, connections: readonly string[]): Promise<string> {
    const state = new ChatState();
    await readChatLog(this.#host.logOf(source), state);
    const turn = state.turns.get(leaf);
    if (!turn || turn.kind === 'sampling') throw new ConnectionError(NO_BRANCH);
    const replay = new ChatReplay(state, leaf);
    const id = this.start([], { ...NO_SETTINGS, model: replay.model.id });
    this.chat(id).replay(replay, connections);
    return id;
  }

  change(id: string, settings: ChatSettings, connections?: readonly string[]): void {
    this.models.check(settings);
    this.chat(id).change(settings, connections);
  }

  async forget(id: string): Promise<void> {
    const chat = this.#any(id);
    if (!chat) throw new ConnectionError(NO_CHAT);
    await chat.cancel();
    this.#chats.delete(id);
    for (const [entry, one] of this.#sampling) if (one === chat) this.#sampling.delete(entry);
    this.#host.onForgotten(id);
    await this.#recorders.get(id)?.end();
    this.#recorders.delete(id);
    await chat.log.log.close();
  }

  /** Returns what servers offer. A list that can’t be read is empty: the log of the server says why. */
  offers(connections: readonly string[]): Promise<readonly ServerOffer[]> {
    return Promise.all(
      this.#serversOf(connections).map(async (server, index) => {
        const [tools, prompts, resources] = await Promise.all([
          server.tools().catch(() => []),
          server.prompts().catch(() => []),
          server.resources().catch(() => []),
        ]);
        return {
          connection: connections[index]!,
          server: server.name,
          tools: tools.map(({ name, description, annotations }) => ({
            name,
            ...(description !== undefined && { description }),
            readOnly: annotations?.readOnlyHint === true,
          })),
          prompts,
          resources,
        };
      }),
    );
  }

  server(connection: string): ConnectionServer {
    return this.#serversOf([connection])[0]!;
  }

  /** Returns a chat. Throws ConnectionError. */
  chat(id: string): PageChat {
    const chat = this.#chats.get(id);
    if (chat) return chat;
    throw new ConnectionError(NO_CHAT);
  }

  /** Returns the newest runs of entries as servers, whose names differ. Throws ConnectionError. */
  #serversOf(entries: readonly string[]): readonly ConnectionServer[] {
    for (const server of this.#servers) if (server.isOver) this.#servers.delete(server);
    const nameOnce = uniqueNames();
    return entries.map((entry) => {
      const connection = this.#host.newestRunOf(entry);
      const unique = nameOnce(connection.summary.name);
      for (const known of this.#servers) {
        if (known.connection === connection.id && known.name === unique) return known;
      }
      const server = new ConnectionServer(unique, connection);
      this.#servers.add(server);
      return server;
    });
  }
}

type Handler<R extends ChatRequest> = (
  chats: Chats,
  request: R,
) => R['kind'] extends keyof ChatReplies ? ChatReplies[R['kind']] | Promise<ChatReplies[R['kind']]> : unknown;

const HANDLERS: { readonly [K in ChatRequest['kind']]: Handler<Extract<ChatRequest, { readonly kind: K }>> } = {
  list: (chats) => chats.list(),
  models: (chats, { provider, baseUrl }) => chats.models.list(provider, baseUrl),
  async start(chats, { connections, settings }) {
    await chats.models.load(settings);
    return { chat: chats.start(connections, settings) };
  },
  replay: async (chats, { source, leaf, connections }) => ({ chat: await chats.replay(source, leaf, connections) }),
  settings: (chats, { chat, settings, connections }) => chats.change(chat, settings, connections),
  async send(chats, { chat, parts, parent }) {
    await chats.chat(chat).checkModel();
    chats.chat(chat).send(parts, parent);
  },
  async retry(chats, { chat, turn }) {
    await chats.chat(chat).checkModel();
    chats.chat(chat).retry(turn);
  },
  decide(chats, { chat, call, decision, settings }) {
    if (settings) chats.models.check(settings);
    chats.chat(chat).decide(call, decision);
    if (settings) chats.change(chat, settings);
  },
  cancel: (chats, { chat }) => chats.chat(chat).cancel(),
  key: (chats, { provider, baseUrl, key }) => chats.setKey(provider, baseUrl, key),
  offers: (chats, { connections }) => chats.offers(connections),
  prompt: async (chats, { connection, name, arguments: args }) =>
    inserted(partsOf(await chats.server(connection).getPrompt(name, args, timeLimit()))),
  resource: async (chats, { connection, uri }) =>
    inserted(await chats.server(connection).readResource(uri, timeLimit())),
  forget: (chats, { chat }) => chats.forget(chat),
  async sampling(chats, { connection, choice }) {
    await chats.models.load(choice.settings);
    return { chat: chats.chooseSampling(connection, choice) };
  },
  complete: (chats, request) => chats.complete(request),
  stop: (chats, request) => chats.stop(request),
};

/** The settings of a replay before those of the recording. */
const NO_SETTINGS: Omit<ChatSettings, 'model'> = { toolMode: 'native', limits: USUAL_LIMITS, servers: [] };

const NO_BRANCH: Failure = {
  code: 'no-branch',
  message: 'The log has no such chat, or its messages are too long to be run again.',
  advice: 'Open the recording of a chat, then try again.',
};

/** Milliseconds that a prompt or a resource may take. */
const INSERT_MS = 60_000;

function timeLimit(): AbortSignal {
  return AbortSignal.timeout(INSERT_MS);
}

/** Cuts what goes into a message as results are cut. Otherwise the page could not send it. */
function inserted(parts: readonly ChatPart[]): CutResult {
  return cutResult(parts, USUAL_LIMITS.resultChars);
}

/** Returns what a prompt says, as parts of one message. */
function partsOf(messages: readonly ChatMessage[]): readonly ChatPart[] {
  return messages.flatMap(({ parts }) => parts);
}

const NO_CHAT: Failure = {
  code: 'no-chat',
  message: 'This chat is gone. mcp-inspect may have been restarted.',
  advice: 'Start a new one. Earlier chats are in the recordings.',
};

const NO_MODEL: Failure = {
  code: 'no-sampling-model',
  message: 'No model is chosen for the sampling requests of this server.',
  advice: 'Choose one first.',
};

const TOO_MANY: Failure = {
  code: 'too-many-chats',
  message: `There are ${MOST_CHATS} chats.`,
  advice: 'Close one first. Its recording stays.',
};
