import { Chat } from '@/features/chat/lib/chat';
import { type ChatSummary, MOST_AUTOMATIC, type SamplingChoice } from '@/features/chat/lib/chat-api';
import type { ChatSettings } from '@/features/chat/lib/chat-frame';
import { chatFrame } from '@/features/chat/lib/event-frames';
import { type Model, ModelError } from '@/features/chat/lib/model';
import { samplingResult } from '@/features/chat/lib/sampling-result';
import type { Connection } from '@/lib/hub/connection';
import { framesFrom } from '@/lib/hub/frame-log';
import type { OpenQuestion } from '@/lib/hub/inbox';
import { parseBounded } from '@/lib/json/parse';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { ConnectionError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import type { Failure, ProtocolVersion } from '@/lib/wire/lifecycle';
import { idKey, type RequestId } from '@/lib/wire/message';
import type { Launch } from '@/proxy/connection/launch';
import type { ChatLog } from './chat-log';
import { recordingIn } from './connection-server';

const SAMPLING = 'sampling/createMessage';

/** Newest frames of a connection in which the frame of a question is looked for. */
const MOST_FRAMES = 500;

/** The proxy's services for the sampling requests of a server. */
interface SamplingHost {
  readonly clock: Clock;
  /** Returns the model that settings name. Rejects with a ModelError. */
  load(settings: ChatSettings): Promise<Model>;
  /** Adds secrets of the connection to those of the log. */
  learnSecrets(connection: Connection<Launch>): void;
}

/** The sampling requests of one server: who answers them, and the log of what models wrote. */
export class SamplingChat {
  readonly log: ChatLog;
  /** The entry of the server's connections. */
  readonly #entry: string;
  readonly #server: string;
  readonly #host: SamplingHost;
  readonly #chat: Chat;
  /** Completions that are being written. */
  readonly #running = new Map<OpenQuestion, { readonly stop: AbortController; readonly on: Connection<Launch> }>();
  readonly #ended = new Set<Promise<void>>();
  /** Questions that a model was given without asking. */
  readonly #given = new WeakSet<OpenQuestion>();
  #choice: SamplingChoice;
  #automatic = 0;

  constructor(log: ChatLog, entry: string, server: string, choice: SamplingChoice, host: SamplingHost) {
    this.log = log;
    this.#entry = entry;
    this.#server = server;
    this.#choice = choice;
    this.#host = host;
    this.#chat = new Chat({
      write(event) {
        const { direction, bytes } = chatFrame(event);
        return log.append(direction, bytes);
      },
      model: () => host.load(this.#chat.state.settings!),
      servers: () => [],
      clock: host.clock,
    });
  }

  get summary(): Omit<ChatSummary, 'recordedIn'> {
    return {
      id: this.log.id,
      startedAt: this.log.startedAt,
      title: `Sampling of ${this.#server}`,
      connections: [this.#entry],
      busy: this.#running.size > 0,
      sampling: this.#choice,
      automatic: this.#automatic,
    };
  }

  /** Chooses who answers from now on, also what waits. */
  choose(choice: SamplingChoice, connection: Connection<Launch>): void {
    this.#choice = choice;
    this.#automatic = 0;
    this.look(connection);
  }

  /** Looks at the questions of a connection: answers new ones if that is chosen, and gives up those that are closed. */
  look(connection: Connection<Launch>): void {
    const open = connection.inbox.questions;
    for (const [question, { stop, on }] of this.#running) {
      if (on === connection && !open.includes(question)) stop.abort();
    }
    if (this.#choice.mode === 'ask') return;
    for (const question of open) {
      if (question.method !== SAMPLING || this.#given.has(question)) continue;
      if (this.#automatic >= MOST_AUTOMATIC) return;
      this.#automatic++;
      this.#given.add(question);
      this.#complete(connection, question, question.params, this.#choice.mode === 'auto');
    }
  }

  /** Gives a question to the model. `params`: JSON text in place of the server's. Throws ConnectionError. */
  complete(connection: Connection<Launch>, id: RequestId, key: string | undefined, params: string | undefined): void {
    const question = questionOf(connection, id, key);
    if (this.#running.has(question)) throw new ConnectionError(BUSY);
    this.#given.add(question);
    this.#complete(connection, question, params === undefined ? question.params : readParams(params), false);
  }

  /** Stops the model's answer to a question. */
  stop(connection: Connection<Launch>, id: RequestId, key: string | undefined): void {
    this.#running.get(questionOf(connection, id, key))?.stop.abort();
  }

  /** Stops all answers. */
  async cancel(): Promise<void> {
    for (const { stop } of this.#running.values()) stop.abort();
    await Promise.all(this.#ended);
  }

  #complete(connection: Connection<Launch>, question: OpenQuestion, params: unknown, sends: boolean): void {
    const stop = new AbortController();
    this.#running.set(question, { stop, on: connection });
    const ended = this.#run(connection, question, isObject(params) ? params : {}, sends, stop.signal)
      // Nobody waits for it, so a rejection would end mcp-inspect. The question stays open.
      .catch(() => {})
      .then(() => {
        this.#running.delete(question);
        this.#ended.delete(ended);
      });
    this.#ended.add(ended);
  }

  async #run(
    connection: Connection<Launch>,
    question: OpenQuestion,
    params: JsonObject,
    sends: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { id, key } = question;
    const seq = await seqOf(connection, question);
    this.#host.learnSecrets(connection);
    const settings: ChatSettings = { ...this.#choice.settings, servers: [] };
    if (JSON.stringify(settings) !== JSON.stringify(this.#chat.state.settings)) this.#chat.configure(settings);
    const answer = await this.#chat.complete(
      {
        server: this.#server,
        connection: connection.id,
        ...recordingIn(connection),
        ...(seq !== undefined && { seq }),
        ...(key !== undefined && { input: key }),
        params,
      },
      signal,
    );
    if (!sends || answer === undefined || signal.aborted) return;
    const version = connection.server.negotiated?.version as ProtocolVersion;
    try {
      await connection.answer(id, key, { result: JSON.stringify(samplingResult(answer, version)) });
    } catch (error) {
      // Without text, or no longer open. The page shows the answer, and why it can't be sent.
      if (!(error instanceof ModelError || error instanceof ConnectionError)) throw error;
    }
  }
}

function questionOf(connection: Connection<Launch>, id: RequestId, key: string | undefined): OpenQuestion {
  const found = connection.inbox.questions.find((one) => idKey(one.id) === idKey(id) && one.key === key);
  if (found?.method !== SAMPLING) throw new ConnectionError(NOT_WAITING);
  return found;
}

/** Reads params that a person has changed. Throws ConnectionError. */
function readParams(text: string): JsonObject {
  try {
    const value = parseBounded(text);
    if (isObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw new ConnectionError(NOT_PARAMS);
}

/** Returns the number of the frame that asks a question, among the newest of its connection. */
async function seqOf({ log }: Connection<Launch>, { id, key }: OpenQuestion): Promise<number | undefined> {
  const first = Math.max(1, log.last - MOST_FRAMES);
  let found: number | undefined;
  for (let seq = first; seq <= log.last; ) {
    const frames = framesFrom(await log.segmentOf(seq), seq);
    for (const frame of frames) {
      if (frame.channel !== 'protocol' || frame.direction !== 'to-client') continue;
      if (asks(frame.bytes, id, key)) found = frame.seq;
    }
    seq += frames.length;
  }
  return found;
}

function asks(bytes: Uint8Array, id: RequestId, key: string | undefined): boolean {
  const text = Buffer.from(bytes);
  if (!text.includes(SAMPLING)) return false;
  try {
    const message = parseBounded(text.toString());
    if (!isObject(message)) return false;
    const result = own(message, 'result');
    if (key === undefined) return own(message, 'method') === SAMPLING && own(message, 'id') === id;
    const inputs = isObject(result) ? own(result, 'inputRequests') : undefined;
    return isObject(inputs) && Object.hasOwn(inputs, key) && own(message, 'id') === id;
  } catch {
    return false;
  }
}

const NOT_WAITING: Failure = {
  code: 'not-waiting',
  message: 'This question is no longer open: it was answered or cancelled.',
  advice: 'See the message log for what happened to it.',
};

const BUSY: Failure = {
  code: 'sampling-busy',
  message: 'The model is already answering this request.',
  advice: 'Wait until it is done, or cancel it.',
};

const NOT_PARAMS: Failure = {
  code: 'sampling-not-json',
  message: 'The copy of the request is not a JSON object.',
  advice: 'Correct it, or go back to the request as the server sent it.',
};
