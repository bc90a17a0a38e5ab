import { type JsonObject, own, textOrJson } from '@/lib/json/value';
import { ConnectionError } from '@/lib/transports/transport';
import type { TapAbout } from '@/proxy/files/tap-control-files';
import type { RuledSession } from '../control-requests';
import type { ControlPeer, ControlServer } from '../control-server';
import type { FirstMessage } from '../session-files';
import type { ExchangeFeed } from './exchange-feed';
import type { HttpInterception, Passing, RunningStream } from './http-interception';
import { PassingSession } from './passing-session';
import type { SessionNews } from './session-news';
import { TappedSessions } from './sessions';

/** Pages at a time that have rules, once for each session. */
const MOST_PEERS = 200;
/** How long the recording thread may take to tell the first messages of a session on a busy machine, in ms. */
const FIRST_MS = 5000;
/** Event streams whose session is remembered. */
const MOST_STREAMS = 10_000;

/** Rules of files, for all sessions, and the code that applies them. */
export interface GivenRules {
  readonly code: typeof import('./http-interception');
  /** Puts them in force in a session. */
  apply(session: RuledSession): void;
}

/** The parts of {@link Passing} that a proxy has. */
export type ProxyPart = Omit<
  Passing,
  'sessions' | 'sessionOfStream' | 'firstMessages' | 'bindId' | 'onEndpoint' | 'log'
>;

/**
 * The way for rules into an HTTP tap. It knows the sessions from the recording thread, and loads what rules need once
 * somebody sets some: without rules, no body is parsed.
 */
export class HttpTapControl {
  readonly #log: ExchangeFeed | undefined;
  readonly #sessions: TappedSessions<PassingSession>;
  /** Names of sessions, by the numbers of exchanges. */
  readonly #streams = new Map<number, string>();
  readonly #asked = new Map<string, (messages: readonly FirstMessage[]) => void>();
  #proxy: ProxyPart | undefined;
  #loading: Promise<HttpInterception> | undefined;
  #interception: HttpInterception | undefined;
  #server: ControlServer | undefined;
  #isClosed = false;

  /** `newName` returns a name for a session. */
  constructor(log: ExchangeFeed | undefined, newName: () => string) {
    this.#log = log;
    this.#sessions = new TappedSessions(
      (name = newName()) => new PassingSession(name),
      (session) => this.#interception?.forget(session),
    );
    log?.onNews((news) => this.#onNews(news));
  }

  /** Looks at messages while there are rules; undefined without. */
  get active(): HttpInterception | undefined {
    return this.#interception?.isActive ? this.#interception : undefined;
  }

  /** Call this before the first request. */
  begin(proxy: ProxyPart, given: GivenRules | undefined): void {
    this.#proxy = proxy;
    if (given) this.#loading = Promise.resolve(this.#start(given.code, given.apply));
  }

  /** Lets pages set rules. Without a socket, nobody can, and the tap goes on. Never rejects. */
  async listen(recordings: string, tap: string, about: TapAbout): Promise<void> {
    try {
      const { ControlServer } = await import('../control-server');
      if (this.#isClosed) return;
      const server = await ControlServer.start(recordings, tap, () => this.#newPeer(), {
        mostPeers: MOST_PEERS,
        about,
      });
      if (this.#isClosed) server.close();
      else this.#server = server;
    } catch {
      // A page that wants to set rules says that the tap can't be reached.
    }
  }

  /** Stops listening, and deletes the files for it. */
  close(): void {
    this.#isClosed = true;
    this.#server?.close();
  }

  #load(): Promise<HttpInterception> {
    this.#loading ??= import('./http-interception').then((code) => this.#start(code, undefined));
    return this.#loading;
  }

  #start({ HttpInterception }: GivenRules['code'], apply: GivenRules['apply'] | undefined): HttpInterception {
    const passing: Passing = {
      ...this.#proxy!,
      log: this.#log,
      sessions: this.#sessions,
      sessionOfStream: (stream) => this.#sessionOfStream(stream),
      firstMessages: (session) => this.#firstMessages(session),
      bindId: (session, id) => this.#sessions.bindId(session, id),
      onEndpoint: (session, text) => this.#onEndpoint(session, text),
    };
    this.#interception = new HttpInterception(passing, apply);
    return this.#interception;
  }

  #newPeer(): ControlPeer {
    const owner = {};
    let isGone = false;
    return {
      request: async (asked: JsonObject) => {
        const interception = await this.#load();
        const session = this.#sessions.get(textOrJson(own(asked, 'session')));
        if (!session) throw new ConnectionError(NO_SESSION);
        return (await interception.request(session, owner, asked, () => isGone)) as object | undefined;
      },
      gone: () => {
        isGone = true;
        if (!this.#isClosed) this.#interception?.removeOwner(owner);
      },
    };
  }

  #onNews(news: SessionNews): void {
    if (news.is === 'first') {
      this.#asked.get(news.session)?.(news.messages);
    } else if (news.is === 'forgotten') {
      const session = this.#sessions.get(news.session);
      if (session) this.#sessions.forget(session);
    } else if (news.is === 'open') this.#sessions.named(news.session).isOpen = true;
    else if (news.is === 'stream') {
      this.#streams.set(news.exchange, news.session);
      if (this.#streams.size > MOST_STREAMS) this.#streams.delete(this.#streams.keys().next().value!);
    } else {
      const session = this.#sessions.adopt(news.session, news.key);
      session.hasEndpoint ||= news.hasEndpoint;
      if (news.key.startsWith(ENDPOINT)) session.endpoint = news.key.slice(ENDPOINT.length);
    }
    // A thread that is late tells whose stream it is after rules were set.
    const rules = news.is === 'stream' || news.is === 'bound' ? this.active : undefined;
    if (rules) for (const stream of this.#proxy!.streams()) rules.join(stream);
  }

  #sessionOfStream({ exchange, target, headers }: RunningStream): PassingSession | undefined {
    const name = exchange && this.#streams.get(exchange.tag);
    return name === undefined ? this.#sessions.find({ target, headers }) : this.#sessions.get(name);
  }

  #onEndpoint(session: PassingSession, text: string): void {
    const { url } = this.#proxy!;
    if (!URL.canParse(text, url)) return;
    const { pathname, search } = new URL(text, url);
    session.hasEndpoint = true;
    session.endpoint = `${pathname}${search}`;
    this.#sessions.bindEndpoint(session, session.endpoint);
  }

  async #firstMessages(session: string): Promise<readonly FirstMessage[]> {
    if (!this.#log?.askFirst(session)) return [];
    return new Promise((resolve) => {
      const end = (messages: readonly FirstMessage[]): void => {
        clearTimeout(timer);
        this.#asked.delete(session);
        resolve(messages);
      };
      const timer = setTimeout(end, FIRST_MS, []);
      this.#asked.get(session)?.([]);
      this.#asked.set(session, end);
    });
  }
}

const ENDPOINT = 'endpoint ';

const NO_SESSION = {
  code: 'no-tap',
  message: 'The tap does not have this session any more.',
  advice: 'It has ended. Use a newer session of the same tap.',
};
