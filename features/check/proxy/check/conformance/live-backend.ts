import { setMembers } from '@/lib/json/members';
import type { Negotiated } from '@/lib/mcp/handshake';
import { errorAnswerText, type ResponseSink, withSubscription } from '@/lib/replay/server/messages-to-client';
import type { SideChannel } from '@/lib/replay/server/replay';
import { type ParsedMessage, parseMessages } from '@/lib/replay/traffic/parse-messages';
import type { TransportSink } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import { type Era, isFailure } from '@/lib/wire/lifecycle';
import { META_KEY, METHOD, RPC_CODE } from '@/lib/wire/protocol-names';
import { ParamHeaders } from '@/lib/wire/repeated-headers';
import type { Launch } from '@/proxy/connection/launch';
import { StdioTransport } from '@/proxy/connection/stdio';
import type { Reaper } from '@/proxy/process/reaper';
import type { Backend, BackendConnection } from '@/proxy/replay/backend';

type StdioLaunch = Extract<Launch, { transport: 'stdio' }>;

/** Servers that run at a time for one legacy client each. The suite uses one session after the other. */
const MOST_CLIENTS = 3;

interface LiveHost {
  readonly clock: Clock;
  readonly reaper: Reaper;
}

/** A backend that passes messages to a server on stdio, unchanged except for ids. */
export class LiveBackend implements Backend {
  readonly era: Era;
  readonly version = undefined;
  readonly resumes = false;
  readonly mostClients = MOST_CLIENTS;
  readonly tools = new ParamHeaders();
  readonly #launch: StdioLaunch;
  readonly #host: LiveHost;
  readonly #running = new Set<LiveConnection>();
  /** All modern clients share one server, because requests have no session. */
  #shared: LiveConnection | undefined;
  readonly #version: string;

  /** `negotiated`: what the server speaks. */
  constructor(launch: StdioLaunch, { era, version }: Pick<Negotiated, 'era' | 'version'>, host: LiveHost) {
    this.#launch = launch;
    this.era = era;
    this.#version = version;
    this.#host = host;
  }

  connect(side: SideChannel): BackendConnection {
    if (this.era === 'legacy') return this.#start(side);
    const receive: BackendConnection['receive'] = (text, sink) => {
      if (!this.#isModern(text)) return this.#receiveAlone(text, sink, side);
      if (!this.#shared || this.#shared.isOver) this.#shared = this.#start(side);
      return this.#shared.receive(text, sink);
    };
    return { begin: () => {}, receive, end: () => {} };
  }

  /** Ends all servers. */
  async close(): Promise<void> {
    await Promise.all([...this.#running].map((connection) => connection.close()));
  }

  /** True for a request that says its version. Servers of both eras take their whole stdin as legacy without it. */
  #isModern(text: string): boolean {
    const meta = parseMessages(text)[0]?.params?.member('_meta');
    const isComplete = meta?.member(META_KEY.clientCapabilities) !== undefined;
    return isComplete && meta?.member(META_KEY.protocolVersion)?.value === this.#version;
  }

  /** Sends a message to a server of its own, which ends after its answer. */
  #receiveAlone(text: string, sink: ResponseSink, side: SideChannel): ReturnType<BackendConnection['receive']> {
    const alone = this.#start(side);
    const received = alone.receive(text, {
      sendMessage: (message) => sink.sendMessage(message),
      dropAnswer: () => sink.dropAnswer(),
      sendAnswer: (answer) => {
        sink.sendAnswer(answer);
        alone.end();
      },
    });
    if (received.requests === 0) alone.end();
    return received;
  }

  #start(side: SideChannel): LiveConnection {
    const connection = new LiveConnection(this.#launch, side, this.#host, () => this.#running.delete(connection));
    this.#running.add(connection);
    return connection;
  }
}

/** A request of the client that the server has not answered. */
interface OpenRequest {
  /** The client’s id, as JSON. */
  readonly id: string;
  readonly token: unknown;
  readonly sink: ResponseSink;
}

/** One server on stdio. Requests get ids of our own, because clients of one server can use the same ones. */
class LiveConnection implements BackendConnection {
  isOver = false;
  readonly #transport: StdioTransport;
  readonly #side: SideChannel;
  readonly #opened: Promise<void>;
  readonly #open = new Map<string, OpenRequest>();
  readonly #onOver: () => void;
  #last = 0;

  constructor(launch: StdioLaunch, side: SideChannel, { clock, reaper }: LiveHost, onOver: () => void) {
    this.#side = side;
    this.#onOver = onOver;
    let frames = 0;
    const sink: TransportSink = {
      appendFrame: (channel, direction, source, start, end) => {
        if (channel === 'protocol' && direction === 'to-client')
          this.#onLine(Buffer.from(source.buffer, source.byteOffset + start, end - start).toString());
        return ++frames;
      },
      logEvent: () => {},
      onMessage: () => {},
      onEnd: () => this.#over('The server exited.'),
    };
    const { command, args, cwd, env } = launch;
    this.#transport = new StdioTransport({ command, args, cwd, env }, { sink, clock, reaper });
    this.#opened = this.#transport.open();
    this.#opened.catch((error: unknown) => this.#over(isFailure(error) ? error.message : String(error)));
  }

  begin(): void {}

  receive(text: string, sink: ResponseSink): ReturnType<BackendConnection['receive']> {
    const [read, ...others] = parseMessages(text);
    if (!read || read.batch || others.length > 0) {
      sink.sendAnswer(errorAnswerText('null', RPC_CODE.parseError, 'Not a JSON-RPC message.'));
      return { requests: 1, abandon: () => {} };
    }
    const isRequest = read.message.kind === 'request' && read.id !== undefined;
    if (!isRequest) {
      this.#send(this.#withOwnIds(read, text));
      return { requests: 0, abandon: () => {} };
    }
    const ours = String(++this.#last);
    const token = read.params?.member('_meta')?.member('progressToken')?.value;
    this.#open.set(ours, { id: read.id!, token, sink });
    if (this.isOver) this.#over('The server exited.');
    else this.#send(setMembers(text, [['id', ours]]));
    const abandon = (): void => {
      if (!this.#open.delete(ours)) return;
      this.#send(`{"jsonrpc":"2.0","method":"${METHOD.cancelled}","params":{"requestId":${ours}}}`);
    };
    return { requests: 1, abandon };
  }

  end(): void {
    void this.close();
  }

  async close(): Promise<void> {
    await this.#transport.close();
    this.#over('The server was ended.');
  }

  /** Replaces the id of the request that a client cancels. */
  #withOwnIds({ message, params }: ParsedMessage, text: string): string {
    const id = params?.member('requestId')?.text;
    if (message.method !== METHOD.cancelled || id === undefined) return text;
    const [ours] = [...this.#open].findLast(([, request]) => request.id === id) ?? [];
    return ours === undefined ? text : setMembers(text, [['params', setMembers(params!.text, [['requestId', ours]])]]);
  }

  #send(text: string): void {
    this.#opened
      .then(() => this.#transport.send(text))
      // The end of the server answers what is open.
      .catch(() => {});
  }

  #onLine(text: string): void {
    const [read] = parseMessages(text);
    if (!read) return;
    const { kind } = read.message;
    if (kind !== 'response' && kind !== 'error') {
      this.#onOther(read, text);
      return;
    }
    const request = this.#open.get(read.id ?? '');
    if (!request) return;
    this.#open.delete(read.id!);
    const params = kind === 'response' ? read.answer : undefined;
    const changes: [string, string][] = [['id', request.id]];
    if (params?.includes(META_KEY.subscriptionId)) changes.push(['result', withSubscription(params, request.id)]);
    request.sink.sendAnswer(setMembers(text, changes));
  }

  /** Passes a notification or request of the server to the client’s request that it belongs to. */
  #onOther({ message, params }: ParsedMessage, text: string): void {
    const subscription = params?.member('_meta')?.member(META_KEY.subscriptionId)?.text;
    const subscribed = subscription === undefined ? undefined : this.#open.get(subscription);
    if (subscribed) {
      const ours = withSubscription(params!.text, subscribed.id);
      subscribed.sink.sendMessage(setMembers(text, [['params', ours]]));
      return;
    }
    const token = message.method === METHOD.progress ? params?.member('progressToken')?.value : undefined;
    const open = [...this.#open.values()];
    // On stdio nothing says which request it belongs to, so it is assumed to be the newest one.
    const belongs = token === undefined ? open.at(-1) : open.find((request) => request.token === token);
    if (belongs) belongs.sink.sendMessage(text);
    else this.#side.sendMessage(text);
  }

  #over(why: string): void {
    this.isOver = true;
    for (const [ours, { id, sink }] of [...this.#open]) {
      this.#open.delete(ours);
      sink.sendAnswer(errorAnswerText(id, RPC_CODE.internalError, why));
    }
    this.#onOver();
  }
}
