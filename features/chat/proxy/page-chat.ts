import { Chat } from '@/features/chat/lib/chat';
import type { ChatSummary } from '@/features/chat/lib/chat-api';
import type { ChatEvent, ChatPart, ChatSettings, OfferedTool } from '@/features/chat/lib/chat-frame';
import { chatFrame } from '@/features/chat/lib/event-frames';
import { type Decided, isCallAllowed } from '@/features/chat/lib/loop';
import type { ChatServer, Model } from '@/features/chat/lib/model';
import { replayBranch } from '@/features/chat/lib/replay-chat';
import { withNaming } from '@/features/chat/lib/tool-names';
import { ConnectionError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import type { Failure } from '@/lib/wire/lifecycle';
import type { ChatLog } from './chat-log';
import type { ChatReplay } from './chat-replay';

/** Characters of a chat's title. */
const TITLE_CHARS = 80;

/** Events that are the first to repeat what a server says. */
const REPEATS_SERVERS: ReadonlySet<ChatEvent['type']> = new Set(['user', 'sampling', 'tools', 'result']);

/** A call that waits for a person's decision. */
interface WaitingCall {
  readonly tool: OfferedTool;
  readonly resolve: (decision: Decided) => void;
}

/** The proxy's services for a chat. */
interface PageChatHost {
  readonly clock: Clock;
  /** Returns the model that settings name. Rejects with a ModelError. */
  load(settings: ChatSettings): Promise<Model>;
  /** Returns the newest runs of entries. Throws ConnectionError. */
  serversOf(entries: readonly string[]): readonly ChatServer[];
  /** Adds what people typed into forms of servers to the secrets of the log. */
  learnSecrets(): void;
}

/** One chat of the page: its log, and the answer that is being written. */
export class PageChat {
  readonly log: ChatLog;
  readonly #chat: Chat;
  readonly #waiting = new Map<string, WaitingCall>();
  readonly #host: PageChatHost;
  #entries: readonly string[] = [];
  #servers: readonly ChatServer[] = [];
  #running: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;
  #title = '';
  /** While the answers of a recorded chat are given again. */
  #replay: ChatReplay | undefined;

  constructor(log: ChatLog, host: PageChatHost) {
    this.log = log;
    this.#host = host;
    this.#chat = new Chat({
      write: (event) => {
        if (REPEATS_SERVERS.has(event.type)) host.learnSecrets();
        const { direction, bytes } = chatFrame(event);
        return log.append(direction, bytes);
      },
      model: () => this.#replay?.model ?? host.load(this.#chat.state.settings!),
      servers: () => this.#replay?.serversWith(this.#servers) ?? this.#servers,
      decide: ({ part: { id } }, tool) => {
        const recorded = this.#replay?.decide(id, tool);
        if (recorded) return Promise.resolve(recorded);
        return new Promise((resolve) => {
          this.#waiting.set(id, { tool, resolve });
        });
      },
      clock: host.clock,
    });
  }

  get summary(): Omit<ChatSummary, 'recordedIn'> {
    return {
      id: this.log.id,
      startedAt: this.log.startedAt,
      title: this.#title,
      connections: this.#entries,
      busy: this.#running !== undefined,
    };
  }

  /** Sets the choices for the turns that follow. Calls that they allow no longer wait. Throws ConnectionError. */
  change(settings: ChatSettings, entries = this.#entries): void {
    this.#servers = this.#host.serversOf(entries);
    this.#entries = entries;
    // A replay has the names of the recording.
    const servers = this.#replay ? settings.servers : this.#servers.map(({ name }) => name);
    const named = withNaming({ ...settings, servers });
    if (JSON.stringify(named) === JSON.stringify(this.#chat.state.settings)) return;
    this.#chat.configure(named);
    const { tools } = this.#chat.state;
    for (const [call, { tool }] of this.#waiting) {
      if (isCallAllowed(tool, named.allow, tools)) this.decide(call, { kind: 'run', by: 'rule' });
    }
  }

  /** Rejects with a ModelError for a model that can't be asked, before a message is spent on it. */
  async checkModel(): Promise<void> {
    if (!this.#running) await this.#host.load(this.#chat.state.settings!);
  }

  /** Adds a person's message, and lets the model answer. Throws ConnectionError. */
  send(parts: readonly ChatPart[], parent: string | undefined): void {
    if (this.#running) throw new ConnectionError(BUSY);
    if (parent !== undefined && this.#chat.state.turns.get(parent)?.kind !== 'answer') {
      throw new ConnectionError(NO_TURN);
    }
    this.#findServers();
    if (this.#title === '') this.#title = titleOf(parts);
    this.#answer(this.#chat.say(parts, parent));
  }

  /** Lets the model answer a person's message once more. Throws ConnectionError. */
  retry(turn: string): void {
    if (this.#running) throw new ConnectionError(BUSY);
    if (this.#chat.state.turns.get(turn)?.kind !== 'user') throw new ConnectionError(NO_TURN);
    this.#findServers();
    this.#answer(turn);
  }

  /** Runs a recorded chat again, in a chat that has only begun. Live tools are those of these entries. */
  replay(replay: ChatReplay, entries: readonly string[]): void {
    this.#servers = this.#host.serversOf(entries);
    this.#entries = entries;
    this.#replay = replay;
    this.#title = `Replay: ${replay.title}`.slice(0, TITLE_CHARS);
    this.#run((signal) => replayBranch(this.#chat, replay.recorded, replay.leaf, signal));
  }

  /** Decides on a call that waits. Throws ConnectionError. */
  decide(call: string, decision: Decided): void {
    const waiting = this.#waiting.get(call);
    if (!waiting) throw new ConnectionError(NOT_WAITING);
    this.#waiting.delete(call);
    waiting.resolve(decision);
  }

  /** Stops the answer that is being written. Resolves once it has ended. */
  async cancel(): Promise<void> {
    this.#running?.stop.abort();
    await this.#running?.ended;
  }

  /** A restart makes another connection of the same entry. */
  #findServers(): void {
    this.change(this.#chat.state.settings!);
  }

  #answer(turn: string): void {
    this.#run((signal) => this.#chat.answer(turn, signal));
  }

  #run(work: (signal: AbortSignal) => Promise<unknown>): void {
    const stop = new AbortController();
    const ended = work(stop.signal)
      // Nobody waits for it, so a rejection would end mcp-inspect. The page sees an answer without an end.
      .catch(() => {})
      .then(() => {
        this.#running = undefined;
        this.#replay = undefined;
        this.#waiting.clear();
      });
    this.#running = { stop, ended };
  }
}

function titleOf(parts: readonly ChatPart[]): string {
  const text = parts.find((part) => part.type === 'text')?.text ?? 'Attachment';
  return text.trim().slice(0, TITLE_CHARS);
}

const BUSY: Failure = {
  code: 'chat-busy',
  message: 'The model is still answering.',
  advice: 'Wait until it is done, or cancel it.',
};

const NO_TURN: Failure = {
  code: 'no-turn',
  message: 'The chat has no such message.',
  advice: 'Reload the page, then try again.',
};

const NOT_WAITING: Failure = {
  code: 'not-waiting',
  message: 'This call no longer waits for a decision.',
  advice: 'It was decided in another tab, or its answer has ended.',
};
