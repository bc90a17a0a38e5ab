import type { JsonObject } from '@/lib/json/value';
import { type ClientHandler, type ClientHandlers, ErrorResponse } from '@/lib/mcp/answering';
import type { ForwardedAnswer, ForwardedRequest, ReplayHost } from '@/lib/replay/server/replay';
import type { RecordedTraffic } from '@/lib/replay/traffic/recorded-traffic';
import { systemClock } from '@/lib/wire/clock';
import { type Era, isFailure, PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import { RPC_CODE } from '@/lib/wire/protocol-names';
import { usageError } from '@/proxy/cli/exit-code';
import { type CommandOutput, printNote } from '@/proxy/cli/output';
import { presetOfCommandLine, startContext } from '@/proxy/cli/presets';
import { readServerOptions } from '@/proxy/cli/server-options';
import { type Launch, resolveLaunch } from '@/proxy/connection/launch';
import { createTransport } from '@/proxy/connection/transports';
import { Reaper } from '@/proxy/process/reaper';
import { ServerConnection } from '../headless/server-connection';
import { notesTap } from '../headless/server-notes';

/** Requests that servers send to clients. */
const ASKED = ['sampling/createMessage', 'elicitation/create', 'roots/list'];

/** Everything needed to reach a live server. */
interface LiveDeps {
  /** The server’s command line, or its URL alone. */
  readonly words: readonly string[];
  readonly version: string;
  /** Folder of the built bin. */
  readonly home: string;
  readonly out: CommandOutput;
}

/** The server that gets the requests without a recorded answer. It starts at the first such request. */
export class LiveServer {
  #launch: Launch;
  #era: Era = 'modern';
  readonly #deps: LiveDeps;
  #session: ServerConnection | undefined;
  #opened: Promise<unknown> | undefined;
  readonly #running: ForwardedRequest[] = [];
  #capabilities: JsonObject = {};

  /** Throws an ExitError if the words name no server. */
  constructor(deps: LiveDeps) {
    this.#deps = deps;
    this.#launch = launchOf(deps);
  }

  /** Uses the recorded era and version, because one client gets both recorded and live answers. */
  adoptProtocol({ era, version }: Pick<RecordedTraffic, 'era' | 'version'>): void {
    const protocol = PROTOCOL_VERSIONS.find((known) => known === version) ?? this.#launch.protocol;
    this.#era = era;
    this.#launch = { ...this.#launch, protocol };
  }

  /** Forwards a request. A request from the server in the meantime is assumed to belong to the newest forwarded one. */
  readonly forward: NonNullable<ReplayHost['forward']> = async (request): Promise<ForwardedAnswer> => {
    const { method, params, capabilities, signal, onProgress } = request;
    this.#capabilities = capabilities;
    this.#running.push(request);
    try {
      const session = this.#session ?? this.#start();
      await this.#opened;
      const answer = await session.request(method, params, (progress) => onProgress(JSON.stringify(progress)), signal);
      if (answer.kind === 'result') return answer;
      return { kind: 'error', text: JSON.stringify(answer.error) };
    } catch (error) {
      const message = isFailure(error) ? `${error.message} ${error.advice}` : String(error);
      if (!signal.aborted) this.#deps.out.printNote('mcp-inspect', `The live server could not be asked. ${message}`);
      return { kind: 'error', text: JSON.stringify({ code: RPC_CODE.internalError, message }) };
    } finally {
      this.#running.splice(this.#running.indexOf(request), 1);
    }
  };

  /** Ends the server if it was started. */
  async close(): Promise<void> {
    await this.#session?.close();
  }

  #start(): ServerConnection {
    const { version, out } = this.#deps;
    const reaper = new Reaper();
    const clock = systemClock;
    const live = this;
    this.#session = new ServerConnection(this.#launch, {
      clock,
      version,
      client: {
        info: undefined,
        get capabilities() {
          return live.#capabilities;
        },
        // In the modern era a server’s requests are part of its results, which the client gets unchanged.
        handlers: this.#era === 'legacy' ? this.#handlers() : new Map(),
      },
      append: notesTap(out),
      openTransport: (launch, sink) => createTransport(launch, { sink, clock, reaper, version, allowLinkLocal: false }),
      lookFurther: async () => {},
    });
    this.#opened = this.#session.open();
    return this.#session;
  }

  #handlers(): ClientHandlers {
    const ask: ClientHandler = (params, { method, signal }) => {
      const request = this.#running.at(-1);
      if (!request) throw new ErrorResponse(RPC_CODE.internalError, 'No client has an open request');
      return request.ask(method, params === undefined ? undefined : JSON.stringify(params), signal);
    };
    return new Map(ASKED.map((method) => [method, ask]));
  }
}

function launchOf({ words, home }: LiveDeps): Launch {
  if (words.length === 0) {
    throw usageError('`--on-miss forward` needs a server: write `-- command args…` or `-- URL` at the end.');
  }
  const options = readServerOptions({ command: 'replay', words: [], given: new Map(), server: words });
  const { chosen, notes } = presetOfCommandLine(options, startContext(home));
  for (const sentence of notes) printNote(`mcp-inspect: ${sentence}`);
  const { shown } = chosen;
  return resolveLaunch({ ...shown.target, base: shown.id }, shown.protocol, [chosen]);
}
