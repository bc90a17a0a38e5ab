import { isObject, own } from '@/lib/json/value';
import type { Negotiated } from '@/lib/mcp/handshake';
import type { TapHost } from '@/lib/mcp/log-tap';
import { judgeFrames } from '@/lib/problems/judge-frames';
import { LISTINGS } from '@/lib/protocol/methods';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { type Moment, momentNow, systemClock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import type { RpcError } from '@/lib/wire/message';
import { LOG_LEVELS } from '@/lib/wire/protocol-names';
import { usageError } from '@/proxy/cli/exit-code';
import { serverClient } from '@/proxy/commands/headless/client-options';
import { ListedEntries } from '@/proxy/commands/headless/listed-entries';
import { RecentFrames } from '@/proxy/commands/headless/recent-frames';
import { TrafficRecorder } from '@/proxy/commands/headless/record-traffic';
import { pagesOf } from '@/proxy/commands/headless/results';
import { type Following, messagesIn, ServerConnection } from '@/proxy/commands/headless/server-connection';
import { requestIdsIn } from '@/proxy/commands/raw';
import { runWithin } from '@/proxy/commands/shared/time-limit';
import { type Launch, launchSecrets } from '@/proxy/connection/launch';
import { createTransport } from '@/proxy/connection/transports';
import { deleteIfThere } from '@/proxy/files/existing-files';
import { writeErrorReason } from '@/proxy/files/private-files';
import { ownReaper } from '@/proxy/process/reaper';
import { createRecording } from '@/proxy/recorder/recorder';
import type { CallOptions, Frame, InspectOptions, Problem, RequestOptions, Session, Target } from './api';
import { clientOf } from './client-of';
import { type Patience, runPatiently, toInspectError } from './failures';
import { InspectError } from './inspect-error';
import { OPTION_NAMES, requireOptions } from './known-options';
import { launchOf, type OwnPackage, serverOptionsOf } from './launch-target';
import type {
  CallResult,
  Completion,
  JsonObject,
  Prompt,
  PromptResult,
  ReadResult,
  Resource,
  ResourceTemplate,
  Tool,
} from './mcp-types';
import { SessionFrames } from './session-frames';
import { tracedMethods } from './traced';

/** Starts or reaches a server. Rejects with an ExitError or a Failure, after which nothing runs. */
export async function openSession(target: Target, options: InspectOptions, own: OwnPackage): Promise<Session> {
  requireOptions('inspect', OPTION_NAMES, options);
  const { logLevel, signal } = options;
  if (logLevel !== undefined && !LOG_LEVELS.includes(logLevel))
    throw usageError(`There is no log level \`${logLevel}\`: choose from ${LOG_LEVELS.join(', ')}.`);
  const found = await launchOf(serverOptionsOf(target, options), own.home);
  const session = new LiveSession(found, options, own.version);
  try {
    await runPatiently({ signal }, 'The connection', () => session.open());
  } catch (error) {
    await session.close();
    throw error;
  }
  return tracedMethods('session', session);
}

/** Returns the JSON of params. Throws an {@link InspectError} for values that JSON does not have, such as a BigInt. */
function paramsText(params: JsonObject | undefined): string | undefined {
  try {
    return params === undefined ? undefined : JSON.stringify(params);
  } catch (error) {
    throw new InspectError('usage', `The params can’t be sent as JSON: ${(error as Error).message}.`, { cause: error });
  }
}

function serverError({ code, message, data }: RpcError): InspectError {
  return new InspectError(code, message, { data });
}

const CLOSED = 'The session was closed.';

/** A session over the connection that subcommands have. */
export class LiveSession implements Session {
  readonly #launch: Launch;
  readonly #version: string;
  readonly #connection: ServerConnection;
  readonly #recent = new RecentFrames();
  readonly #frames = new SessionFrames();
  readonly #began: Moment = momentNow(systemClock);
  /** Knows the secrets so far, for recordings that begin later. */
  readonly #redactor: CaptureRedactor;
  readonly #recordings = new Set<TrafficRecorder>();
  /** Write to the recordings. */
  readonly #taps = new Set<TapHost['append']>();
  /** Aborted once the session is closed. */
  readonly #gone = new AbortController();
  /** Closes the session when it is aborted. */
  readonly #signal: AbortSignal | undefined;
  #negotiated: Negotiated | undefined;
  #closed: Promise<void> | undefined;

  constructor(found: Launch, options: InspectOptions, version: string) {
    const client = clientOf(options);
    const launch = { ...found, profile: client.profile };
    const clock = systemClock;
    this.#launch = launch;
    this.#version = version;
    this.#redactor = new CaptureRedactor(launchSecrets(launch));
    this.#signal = options.signal && AbortSignal.any([options.signal]);
    const append = this.#recent.tap(this.#frames.append);
    this.#connection = new ServerConnection(launch, {
      clock,
      began: this.#began,
      version,
      logLevel: options.logLevel,
      client: serverClient(client, {
        printNote: () => {},
        logEvent: (event) => this.#connection.logEvent(event),
        notify: (method, params) => {
          if (!this.#connection.closing) this.#connection.notify(method, params);
        },
      }),
      append: (...frame) => {
        for (const tap of this.#taps) tap(...frame);
        return append(...frame);
      },
      secrets: this.#redactor,
      openTransport: (launched, sink) =>
        createTransport(launched, {
          sink,
          clock,
          reaper: ownReaper,
          version,
          allowLinkLocal: options.allowLinkLocal === true,
        }),
      lookFurther: async () => {},
    });
  }

  async open(): Promise<void> {
    try {
      this.#negotiated = await this.#connection.open();
      this.#signal?.addEventListener('abort', this.#onAbort);
    } catch (error) {
      throw await this.#explanation(error);
    }
  }

  get protocolVersion(): string | undefined {
    return this.#negotiated?.version;
  }

  get era(): Session['era'] {
    return this.#negotiated?.era;
  }

  get serverInfo(): JsonObject | undefined {
    return this.#negotiated?.serverInfo;
  }

  get capabilities(): JsonObject {
    return this.#negotiated?.capabilities ?? {};
  }

  get instructions(): string | undefined {
    return this.#negotiated?.instructions;
  }

  get stderr(): string {
    return this.#frames.stderr;
  }

  async call(tool: string, args: JsonObject = {}, options: CallOptions = {}): Promise<CallResult> {
    return (await this.#ask('tools/call', { name: tool, arguments: args }, options)) as unknown as CallResult;
  }

  /**
   * Calls a tool with arguments exactly as they are written: parsing would round long numbers. `onSent` gets the number
   * of the call's frame.
   */
  callWritten(tool: string, args: string, signal: AbortSignal, onSent: (seq: number) => void): Promise<unknown> {
    const params = `{"name":${JSON.stringify(tool)},"arguments":${args}}`;
    return this.#send('tools/call', params, { signal }, { onSent });
  }

  listTools = this.#lister<Tool>('tools/list');
  listResources = this.#lister<Resource>('resources/list');
  listResourceTemplates = this.#lister<ResourceTemplate>('resources/templates/list');
  listPrompts = this.#lister<Prompt>('prompts/list');

  async read(uri: string, options: RequestOptions = {}): Promise<ReadResult> {
    return (await this.#ask('resources/read', { uri }, options)) as unknown as ReadResult;
  }

  async getPrompt(
    name: string,
    args?: Readonly<Record<string, string>>,
    options: RequestOptions = {},
  ): Promise<PromptResult> {
    const params = { name, ...(args && { arguments: args }) };
    return (await this.#ask('prompts/get', params, options)) as unknown as PromptResult;
  }

  async complete(
    of: { readonly prompt: string } | { readonly template: string },
    argument: string,
    value: string,
    options: RequestOptions & { readonly context?: Readonly<Record<string, string>> } = {},
  ): Promise<Completion> {
    const { context } = options;
    const ref = 'prompt' in of ? { type: 'ref/prompt', name: of.prompt } : { type: 'ref/resource', uri: of.template };
    const params = {
      ref,
      argument: { name: argument, value },
      ...(context && { context: { arguments: context } }),
    };
    const completion = own(await this.#ask('completion/complete', params, options), 'completion');
    if (isObject(completion)) return completion as unknown as Completion;
    throw new InspectError('invalid-result', 'The result of completion/complete has no `completion`.');
  }

  async request(method: string, params?: JsonObject, options: CallOptions = {}): Promise<unknown> {
    return this.#send(method, paramsText(params), options, options.task ? { task: {} } : undefined);
  }

  notify(method: string, params?: JsonObject): void {
    const text = paramsText(params);
    try {
      this.#connection.notify(method, text);
    } catch (error) {
      throw toInspectError(error);
    }
  }

  async raw(text: string, patience: Patience = {}): Promise<readonly string[]> {
    const lines: string[] = [];
    const ids = requestIdsIn(messagesIn(text));
    const add = (line: string): void => void lines.push(line);
    await runPatiently(patience, 'The response', () =>
      this.#explained(() => (ids ? this.#connection.sendRaw(text, ids, add) : this.#connection.sendText(text, add))),
    );
    return lines;
  }

  async problems(): Promise<readonly Problem[]> {
    const { frames } = this.#frames;
    const judged = await judgeFrames(() => [frames.slice()], runWithin).catch((error: unknown) => {
      throw toInspectError(error);
    });
    return judged.findings
      .filter(({ fromServer }) => fromServer)
      .map(({ rule, severity, message, path, frames: seqs, advice, spec }) => ({
        rule,
        severity,
        message,
        advice,
        path: path ?? null,
        frames: seqs,
        spec: spec ?? null,
      }));
  }

  frames(): readonly Frame[] {
    return [...this.#frames.shown];
  }

  waitFor(find: (frame: Frame) => boolean, { signal, timeoutMs = LIMITS.requestMs }: Patience = {}): Promise<Frame> {
    return runPatiently({ signal, timeoutMs }, 'The frame', (stop) =>
      this.#frames.first(find, AbortSignal.any([stop, this.#gone.signal])),
    );
  }

  async record(path: string, { overwrite = false }: { readonly overwrite?: boolean } = {}): Promise<void> {
    const { name, transport } = this.#launch;
    const { frames } = this.#frames;
    if (this.#closed)
      throw new InspectError('disconnected', 'The session is closed, so it can’t be recorded any more.');
    try {
      if (overwrite) await deleteIfThere(path);
      const about = { name, transport, at: this.#began.at, version: this.#version, redactor: this.#redactor.fork() };
      const recording = new TrafficRecorder(createRecording(path, about));
      const tap = recording.tap(() => 0);
      for (const { channel, direction, flags, time, bytes } of frames)
        tap(channel, direction, flags, time, bytes, 0, bytes.length);
      this.#recordings.add(recording);
      this.#taps.add(tap);
    } catch (error) {
      throw new InspectError('recording-failed', `\`${path}\` can’t be written: ${writeErrorReason(error)}.`);
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  readonly #onAbort = (): void => void this.close().catch(() => {});

  async #close(): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#onAbort);
    await this.#connection.close();
    this.#gone.abort(new InspectError('disconnected', CLOSED));
    this.#taps.clear();
    const ends = await Promise.all([...this.#recordings].map((recording) => recording.end()));
    const missing = ends.find((sentence) => sentence !== undefined);
    if (missing !== undefined) throw new InspectError('recording-failed', missing);
  }

  #send(
    method: string,
    params: string | undefined,
    options: CallOptions,
    following: Following | undefined,
  ): Promise<unknown> {
    const { onProgress } = options;
    return runPatiently(options, `The response to ${method}`, async (signal) => {
      const answer = await this.#explained(() =>
        this.#connection.request(method, params, onProgress, signal, following),
      );
      if (answer.kind === 'result') return answer.result;
      throw serverError(answer.error);
    });
  }

  /** Asks for a result that has to be an object. */
  async #ask(method: string, params: JsonObject, options: CallOptions): Promise<JsonObject> {
    const result = await this.request(method, params, options);
    if (isObject(result)) return result;
    throw new InspectError('invalid-result', `The result of ${method} is not an object.`, { data: result });
  }

  /** Returns a method that reads every page of a list. */
  #lister<Item>(method: (typeof LISTINGS)[number][0]) {
    const { items } = LISTINGS.find(([known]) => known === method)![1];
    return (options: RequestOptions = {}): Promise<readonly Item[]> =>
      runPatiently(options, `The list of ${items}`, async (signal) => {
        const list = new ListedEntries(items);
        await this.#explained(async () => {
          for await (const page of pagesOf(this.#connection, method, signal)) {
            if (page.kind === 'error') throw serverError(page.error);
            list.addPage(page);
          }
        });
        return list.entries as unknown as readonly Item[];
      });
  }

  /** Loads the doctor, which says why a request or the connection failed. */
  async #explanation(error: unknown): Promise<unknown> {
    const { explainFailure } = await import('@/proxy/commands/headless/explain-failure');
    return explainFailure(error, this.#recent.parts)?.error ?? error;
  }

  /** Says why a request failed, or that the session was closed. */
  async #explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (this.#closed) throw new InspectError('disconnected', CLOSED, { cause: error });
      throw await this.#explanation(error);
    }
  }
}
