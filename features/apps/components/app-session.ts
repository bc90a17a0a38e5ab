import type { AppBridge, McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge';
import { toolApp } from '@/features/apps/lib/app-meta';
import type { AppNotice } from '@/features/apps/lib/app-notices';
import type * as AppBridgeModule from '@/features/apps/workers/app-bridge';
import type { Client } from '@/lib/client/client';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import { pagePath } from '@/lib/wire/page-path';
import { AppTransport } from './app-transport';
import { answerLink, answerMessage, shownContent, type WishEvents } from './app-wishes';

// Kept in a variable, so that no bundler adds it to the page's chunks.
const BRIDGE = '/workers/app-bridge.js';

/** The surroundings that an app sees. */
export type AppContext = McpUiHostContext;

/** Called as an app runs. */
export interface AppEvents extends WishEvents {
  onReady(): void;
  /** Resolves to false if the person refuses a call of this tool. */
  mayCall(tool: JsonObject): Promise<boolean>;
  /** The app wants this height in pixels. */
  onHeight(height: number): void;
  /** The app asked for a display mode. */
  onDisplayMode(mode: 'inline' | 'fullscreen'): void;
  /** A request of the app was blocked, or its script failed. */
  onNotice(notice: AppNotice): void;
  /** The app was stopped, for a reason. */
  onStopped(sentence: string): void;
}

interface SessionConfig {
  readonly log: Log;
  readonly client: Client;
  readonly context: AppContext;
  /** The tool that the app belongs to. */
  readonly tool: string;
  readonly events: AppEvents;
}

/**
 * One app that runs in a frame: AppBridge plays the host, and the app’s requests go to the server over the connection,
 * where they are exchanges like any other.
 */
export class AppSession {
  readonly #config: SessionConfig;
  readonly #bridge: AppBridge;
  readonly #transport: AppTransport;
  /** seq of the call that the app was last told of, and of its response. */
  #toldCall = 0;
  #toldAnswer = 0;
  #isReady = false;

  private constructor(app: Window, settings: SessionConfig, host: typeof AppBridgeModule) {
    this.#config = settings;
    const { log, client, context, events } = settings;
    this.#bridge = new host.AppBridge(
      null,
      { name: 'mcp-inspect', version: host.HOST_VERSION },
      { openLinks: {}, serverTools: {}, serverResources: {}, logging: {}, updateModelContext: {}, downloadFile: {} },
      { hostContext: context },
    );
    this.#transport = new AppTransport(app, {
      log: (direction, text) => {
        // A connection that has ended takes no more frames.
        client.send({ type: 'app-message', connection: log.connection, direction, text }).catch(() => {});
      },
      onFlood: (sentence) => events.onStopped(sentence),
      onNotice: (notice) => events.onNotice(notice),
    });
    this.#answerRequests();
  }

  /** Starts to listen to the frame. Wait for it before the app is loaded, since the app speaks first. */
  static async start(app: Window, settings: SessionConfig): Promise<AppSession> {
    const module: typeof AppBridgeModule = await import(
      /* turbopackIgnore: true */ /* webpackIgnore: true */ pagePath(BRIDGE)
    );
    const session = new AppSession(app, settings, module);
    await session.#bridge.connect(session.#transport);
    return session;
  }

  /** Tells the app of the newest call of its tool: its arguments, and its result when it is there. */
  showNewestCall(): void {
    const { log, tool } = this.#config;
    if (!this.#isReady) return;
    const seq = log.latestRequest('tools/call', tool);
    const exchange = seq === undefined ? undefined : log.exchange(seq);
    if (seq === undefined || !exchange) return;
    if (this.#toldCall !== seq) {
      const params = messageSource(log, seq, exchange.id)?.member('params')?.member('arguments')?.text;
      if (!log.hasBytes(seq)) {
        log.wanted.want(seq);
        return;
      }
      this.#toldCall = seq;
      void this.#bridge.sendToolInput({
        arguments: (params === undefined ? {} : JSON.parse(params)) as object as never,
      });
    }
    const { responseSeq } = exchange;
    if (responseSeq === undefined || this.#toldAnswer === responseSeq) return;
    if (!log.hasBytes(responseSeq)) {
      log.wanted.want(responseSeq);
      return;
    }
    this.#toldAnswer = responseSeq;
    const result = resultIn(log, exchange);
    if (typeof result === 'object') void this.#bridge.sendToolResult(result as never);
    else void this.#bridge.sendToolCancelled({ reason: result });
  }

  /** Changes what the app knows of its surroundings. */
  setContext(context: AppContext): void {
    this.#bridge.setHostContext(context);
  }

  /** Asks the app to end, and stops listening to it. */
  async stop(): Promise<void> {
    if (this.#isReady) await this.#bridge.teardownResource({}, { timeout: TEARDOWN_MS }).catch(() => {});
    await this.#bridge.close();
  }

  #answerRequests(): void {
    const { events } = this.#config;
    const bridge = this.#bridge;
    bridge.oninitialized = () => {
      this.#isReady = true;
      events.onReady();
      this.showNewestCall();
    };
    bridge.onsizechange = ({ height }) => {
      if (height !== undefined) events.onHeight(height);
    };
    bridge.oncalltool = async (params) => {
      await this.#requireAppTool(params.name);
      return (await this.#forward('tools/call', params)) as never;
    };
    bridge.onlistresources = async (params) => (await this.#forward('resources/list', params)) as never;
    bridge.onlistresourcetemplates = async (params) =>
      (await this.#forward('resources/templates/list', params)) as never;
    bridge.onreadresource = async (params) => (await this.#forward('resources/read', params)) as never;
    bridge.onlistprompts = async (params) => (await this.#forward('prompts/list', params)) as never;
    bridge.onopenlink = ({ url }) => answerLink(url, events);
    bridge.onmessage = ({ content }) => answerMessage(content, events);
    bridge.onupdatemodelcontext = async ({ content, structuredContent }) => {
      const text = shownContent(content ?? []) || JSON.stringify(structuredContent ?? {});
      events.onWish({ kind: 'context', text });
      return {};
    };
    bridge.ondownloadfile = async () => {
      events.onWish({ kind: 'download', text: 'The app wants to save a file. See its message in the log.' });
      return { isError: true };
    };
    bridge.onrequestdisplaymode = async ({ mode }) => {
      const given = mode === 'fullscreen' ? 'fullscreen' : 'inline';
      events.onDisplayMode(given);
      return { mode: given };
    };
  }

  /** Throws for a tool that apps must not call: one for models only, or one that is not in the list as read. */
  async #requireAppTool(name: string): Promise<void> {
    const tool = this.#config.log.state.tools.items.find((one) => one.name === name);
    if (!tool) throw new Error(`The tool ${name} is not listed.`);
    if (toolApp(tool.raw)?.visibility.includes('app') === false) {
      throw new Error(`The tool ${name} is not visible to apps.`);
    }
    if (!(await this.#config.events.mayCall(tool.raw))) throw new Error('The user refused the call.');
  }

  /** Sends a request of the app to the server. Rejects with what the server or the connection answers instead. */
  async #forward(method: string, params: unknown): Promise<unknown> {
    const { log, client } = this.#config;
    const done = await client.send({
      type: 'request',
      connection: log.connection,
      method,
      params: JSON.stringify(params ?? {}),
    });
    const exchange = await answeredExchange(log, done.seq!);
    const result = resultIn(log, exchange);
    if (typeof result === 'string') throw new Error(result);
    return result;
  }
}

/** How long an app may take to end, in ms. */
const TEARDOWN_MS = 500;

/** Waits until a request has its answer, and the answer's bytes are here. */
export function answeredExchange(log: Log, seq: number): Promise<Exchange> {
  return new Promise((resolve) => {
    const look = (): void => {
      const exchange = log.exchange(seq);
      if (!exchange || exchange.status === 'pending') return;
      const { responseSeq } = exchange;
      if (responseSeq !== undefined && !log.hasBytes(responseSeq) && !log.wanted.isUnavailable(responseSeq)) {
        log.wanted.want(responseSeq);
        return;
      }
      stop();
      resolve(exchange);
    };
    const stop = log.subscribe(look);
    look();
  });
}

/** Returns the result of an exchange, or a sentence that says why there is none. */
export function resultIn(log: Log, { responseSeq, id, status }: Exchange): object | string {
  const message = responseSeq === undefined ? undefined : messageSource(log, responseSeq, id);
  const result = message?.member('result')?.text;
  if (result !== undefined) return JSON.parse(result) as object;
  const error = message?.member('error')?.text;
  const said: unknown = error === undefined ? undefined : JSON.parse(error);
  const text = isObject(said) ? own(said, 'message') : undefined;
  return typeof text === 'string' ? text : `The request has no result (${status ?? 'unknown'}).`;
}
