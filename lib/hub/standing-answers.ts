import { ConnectionError } from '@/lib/transports/transport';
import type { QuestionAnswer } from '@/lib/wire/message';
import {
  aboutQuestion,
  boundPart,
  STANDING_ANSWER_CHARS,
  STANDING_ANSWERS,
  STANDING_USES,
  type StandingAnswer,
  type StandingChange,
  type StandingReply,
} from '@/lib/wire/standing-answers';

/** Keeps the standing answers of all servers. */
export interface StandingStore {
  readonly place: StandingReply['place'];
  /** Returns the answers, oldest first. Never throws: without a readable list, people answer. */
  read(): readonly StandingAnswer[];
  /** Replaces the list. Rejects with a ConnectionError. */
  change(next: (all: readonly StandingAnswer[]) => readonly StandingAnswer[]): Promise<void>;
}

/** Standing answers in memory. */
export class MemoryStanding implements StandingStore {
  readonly place = 'page';
  #all: readonly StandingAnswer[] = [];

  read(): readonly StandingAnswer[] {
    return this.#all;
  }

  async change(next: (all: readonly StandingAnswer[]) => readonly StandingAnswer[]): Promise<void> {
    this.#all = next(this.#all);
  }
}

/** The services that a connection needs for standing answers. */
export interface StandingHost {
  readonly store: StandingStore;
  /** Digest of the server's command and folder, or of its URL. */
  readonly server: string;
  /** The command line or URL, without secrets. */
  readonly title: string;
  /** Returns true if the text holds a secret. */
  hasSecrets(text: string): boolean;
}

/** The standing answers to the questions of one connection's server. */
export class StandingAnswers {
  readonly #host: StandingHost;
  #uses = 0;

  constructor(host: StandingHost) {
    this.#host = host;
  }

  /** Returns the answer to use now; undefined if a person has to answer. */
  use(method: string, params: unknown): QuestionAnswer | undefined {
    const bound = boundPart(method, params);
    if (bound === undefined || this.#uses >= STANDING_USES) return undefined;
    const { store, server } = this.#host;
    const found = store.read().find((one) => one.server === server && one.bound === bound && !one.paused);
    if (found) this.#uses++;
    return found?.answer;
  }

  /** Makes an answer a standing one. It replaces an earlier one to the same question. Rejects with ConnectionError. */
  async add(method: string, params: unknown, answer: QuestionAnswer): Promise<void> {
    const { store, server, title, hasSecrets } = this.#host;
    const bound = boundPart(method, params);
    const text = JSON.stringify(answer);
    if (bound === undefined || hasSecrets(text) || hasSecrets(bound)) throw new ConnectionError(NEVER_STANDING);
    if (text.length > STANDING_ANSWER_CHARS) throw new ConnectionError(TOO_LONG);
    const about = aboutQuestion(params);
    const made = { server, title, method, bound, about: hasSecrets(about) ? '' : about, answer };
    await store.change((all) => {
      const others = all.filter((one) => one.server !== server || one.bound !== bound);
      if (others.length >= STANDING_ANSWERS) throw new ConnectionError(TOO_MANY);
      const newest = all.reduce((most, { id }) => Math.max(most, Number(id) || 0), 0);
      return [...others, { id: String(newest + 1), ...made }];
    });
  }

  /** Pauses, resumes or deletes a standing answer of any server. Rejects with ConnectionError. */
  async change(change: StandingChange): Promise<void> {
    await this.#host.store.change((all) =>
      all.flatMap((one) => {
        if (one.id !== change.id) return [one];
        if (change.kind === 'delete') return [];
        const { paused: _, ...rest } = one;
        return [change.paused ? { ...rest, paused: true as const } : rest];
      }),
    );
  }

  list(): StandingReply {
    const { store, server } = this.#host;
    return { server, answers: store.read(), place: store.place };
  }
}

const NEVER_STANDING = {
  code: 'never-standing',
  message: 'mcp-inspect makes no standing answer for URLs, or for forms or answers that seem to hold secrets.',
  advice: 'Answer this question by hand.',
};

const TOO_LONG = {
  code: 'standing-too-long',
  message: `A standing answer has at most ${STANDING_ANSWER_CHARS} characters.`,
  advice: 'Shorten it, or answer each question by hand.',
};

const TOO_MANY = {
  code: 'standing-full',
  message: `There are ${STANDING_ANSWERS} standing answers already.`,
  advice: 'Delete some of them in the Inbox.',
};
