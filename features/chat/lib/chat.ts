import { type Clock, systemClock } from '@/lib/wire/clock';
import { chatFailure } from './ask-model';
import { BodyPieces } from './body-pieces';
import type { ChatEvent, ChatPart, ChatSettings } from './chat-frame';
import { type AnswerTurn, ChatState } from './chat-state';
import { answerTurn, type Decide } from './loop';
import type { ChatServer, Model } from './model';
import { completeSampling, type SamplingQuestion } from './sampling';
import type { SamplingAnswer } from './sampling-result';
import { withNaming } from './tool-names';

/** Effects that a chat needs. */
export interface ChatOptions {
  /** Writes an event to the chat's log and returns the number of its frame. */
  readonly write: (event: ChatEvent) => number;
  /** Returns the model with this name. Throws a ModelError for one that can't be used, such as without a key. */
  readonly model: (id: string) => Model | Promise<Model>;
  /** The servers that are connected now. */
  readonly servers: () => readonly ChatServer[];
  /** Decides calls that the settings don't allow. Absent: they are refused. */
  readonly decide?: Decide;
  readonly clock?: Clock;
  /** A chat that goes on. */
  readonly state?: ChatState;
}

/** A chat that somebody leads: settings, messages and answers become events of its log and of its state. */
export class Chat {
  readonly state: ChatState;
  readonly #options: ChatOptions;
  readonly #clock: Clock;
  readonly #bodies = new BodyPieces();
  #turns: number;

  constructor(options: ChatOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.state = options.state ?? new ChatState();
    this.#turns = this.state.turns.size;
  }

  /** Sets the choices for the turns that follow. */
  configure(settings: ChatSettings): void {
    this.#record({ type: 'settings', settings: withNaming(settings) });
  }

  /** Adds a message after a turn, or a first one, and returns its turn. To edit a message, add one after its parent. */
  say(parts: readonly ChatPart[], parent?: string): string {
    const turn = this.#newTurn();
    this.#record({ type: 'user', turn, ...(parent !== undefined && { parent }), parts });
    return turn;
  }

  /**
   * Lets the model answer a message. Resolves when it ends; the turn's `end` says how. To try again, ask for another
   * answer to the same message. `onBegin` gets the turn's id before the first request. Needs settings.
   */
  async answer(parent: string, signal: AbortSignal, onBegin?: (turn: string) => void): Promise<AnswerTurn> {
    const turn = this.#newTurn();
    this.#record({ type: 'answer', turn, parent });
    onBegin?.(turn);
    const model = await this.#model(turn);
    if (model !== undefined) {
      const { state } = this;
      const { servers, decide } = this.#options;
      const record = this.#record;
      const loop = { state, record, model, servers: servers(), clock: this.#clock, ...(decide && { decide }) };
      await answerTurn(loop, turn, signal);
    }
    return this.#answerOf(turn);
  }

  /** Lets the model answer a server's sampling request, as a turn outside the tree. */
  async complete(question: SamplingQuestion, signal: AbortSignal): Promise<SamplingAnswer | undefined> {
    const turn = this.#newTurn();
    const { params, ...from } = question;
    this.#record({ type: 'sampling', turn, ...from, params: JSON.stringify(params) });
    const model = await this.#model(turn);
    if (model === undefined) return undefined;
    return completeSampling(
      { state: this.state, record: this.#record, model, clock: this.#clock },
      turn,
      params,
      signal,
    );
  }

  /** Returns the model of the settings; undefined after the turn has ended with the reason. */
  async #model(turn: string): Promise<Model | undefined> {
    try {
      const id = this.state.turns.get(turn)?.settings?.model;
      if (id === undefined) throw new Error('no model is chosen.');
      return await this.#options.model(id);
    } catch (error) {
      this.#record({ type: 'end', turn, reason: 'error', failure: chatFailure(error) });
      return undefined;
    }
  }

  #answerOf(turn: string): AnswerTurn {
    const found = this.state.turns.get(turn);
    if (found === undefined || found.kind === 'user') throw new Error(`The turn ${turn} is not an answer.`);
    return found;
  }

  #newTurn(): string {
    for (;;) {
      const turn = `t${++this.#turns}`;
      if (!this.state.turns.has(turn)) return turn;
    }
  }

  readonly #record = (event: ChatEvent): void => {
    if (event.type !== 'request') {
      this.state.apply(event, this.#options.write(event));
      return;
    }
    const cut = this.#bodies.cut(event);
    const seq = this.#options.write(cut);
    this.#bodies.remember(cut, seq);
    this.state.apply(cut, seq);
  };
}
