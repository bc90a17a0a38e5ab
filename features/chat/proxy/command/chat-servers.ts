import { randomUUID } from 'node:crypto';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { REASON_LINES } from '@/lib/store/reason/reason';
import type { Frame } from '@/lib/wire/frame';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import { EXIT } from '@/proxy/cli/exit-code';
import type { CommandOutput } from '@/proxy/cli/output';
import type { ServerOptions } from '@/proxy/cli/server-options';
import type { ClientOptions } from '@/proxy/commands/headless/client-options';
import { type CommandAction, runOn } from '@/proxy/commands/headless/on-server';
import type { NamedServer } from '@/proxy/commands/shared/config-servers';
import { CommandServer } from './command-server';
import { endOfStderr, type FailedServer } from './failed-server';

/** How the servers of a chat are started. */
interface ServersOptions {
  readonly options: ServerOptions;
  readonly version: string;
  /** The client that a server sees. `find` returns the server once it is connected. */
  client(name: string, find: () => CommandServer | undefined): ClientOptions | undefined;
  /** Returns the file for the recording of a server. */
  record?(server: string): string;
  /** Gets the secrets of the servers, which must not be in recordings of the chat. */
  readonly secrets: CaptureRedactor;
  /** Called with each message of a server, as it came. */
  onMessage?(server: string, message: Buffer): void;
  /** Called when a server that was connected has ended by itself. */
  onLost?(lost: FailedServer): void;
  printNote(line: string): void;
}

/** Bytes of the longest message that may say that a list changed. */
const SHORT_BYTES = 2000;
const LIST_CHANGED = Buffer.from('/list_changed"');

/** One server while it runs. */
interface Running {
  readonly name: string;
  close(): Promise<void>;
  readonly ended: Promise<unknown>;
}

/** The servers of a chat, which run side by side until they are closed. */
export class ChatServers {
  readonly #how: ServersOptions;
  readonly #running = new Set<Running>();
  #closed = false;
  #broken = false;

  constructor(how: ServersOptions) {
    this.#how = how;
  }

  /** A server ended by itself after it was connected. */
  get isBroken(): boolean {
    return this.#broken;
  }

  /** Starts servers. Resolves once each is connected or has failed. Rejects with an ExitError. */
  async open(
    entries: readonly NamedServer[],
  ): Promise<{ readonly servers: readonly CommandServer[]; readonly failed: readonly FailedServer[] }> {
    const opened = await Promise.allSettled(entries.map((entry) => this.#start(entry)));
    const broken = opened.find((one) => one.status === 'rejected');
    if (broken) {
      await this.close();
      throw broken.reason;
    }
    const all = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    return {
      servers: all.flatMap((one) => (one instanceof CommandServer ? [one] : [])),
      failed: all.flatMap((one) => (one instanceof CommandServer ? [] : [one])),
    };
  }

  /** Ends all servers politely, then by force. Resolves when they are gone. */
  async close(): Promise<void> {
    this.#closed = true;
    const running = [...this.#running];
    await Promise.all(running.map(({ close }) => close()));
    await Promise.all(running.map(({ ended }) => ended));
  }

  /** Ends one server, and starts it again. Rejects with an ExitError. */
  async restart(entry: NamedServer): Promise<CommandServer | FailedServer> {
    for (const running of [...this.#running].filter(({ name }) => name === entry.name)) {
      await running.close();
      await running.ended;
      this.#running.delete(running);
    }
    return this.#start(entry);
  }

  async #start({ name, launch: find }: NamedServer): Promise<CommandServer | FailedServer> {
    const { options, version, printNote, ...how } = this.#how;
    const launch = await find();
    if (!('transport' in launch)) return { name, failure: launch, stderr: [] };
    if (this.#closed) return { name, failure: CLOSED, stderr: [] };
    const stderr: string[] = [];
    let failure: Failure | undefined;
    let server: CommandServer | undefined;
    const stop = new AbortController();
    const id = randomUUID();
    const record = how.record?.(name);
    return new Promise((resolve, reject) => {
      const action: CommandAction = Object.assign(
        async ({ connection, negotiated }: Parameters<CommandAction>[0]) => {
          server = new CommandServer(name, id, connection, negotiated);
          resolve(server);
          try {
            await connection.untilStopped(stop.signal);
          } catch (error) {
            if (!isFailure(error)) throw error;
            this.#broken = true;
            server.lost = {
              name,
              failure: error,
              // Its last lines may come after this.
              get stderr() {
                return endOfStderr(stderr);
              },
            };
            how.onLost?.(server.lost);
          }
          return EXIT.fine;
        },
        {
          connect: {
            recordingId: id,
            redactor: how.secrets,
            onFrame: (frame: Frame) => {
              const { channel, direction, bytes } = frame;
              if (channel !== 'protocol' || direction !== 'to-client') return;
              const message = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
              if (saysListChanged(message)) server?.forgetLists();
              how.onMessage?.(name, message);
            },
            explain: async (_out: CommandOutput, _look: unknown, reason: Failure) => {
              failure = reason;
              return true;
            },
            out: serverOutput(name, stderr, printNote),
          },
        },
      );
      const client = how.client(name, () => server);
      const request = { options, json: true, client, ...(record !== undefined && { record }) };
      const running: Running = {
        name,
        close: async () => stop.abort(),
        ended: runOn(launch, action, request, version, (close) => {
          running.close = async () => {
            stop.abort();
            await close();
          };
        }).then(
          () => resolve({ name, failure: failure ?? CLOSED, stderr: endOfStderr(stderr) }),
          (error: unknown) => reject(error),
        ),
      };
      this.#running.add(running);
    });
  }
}

const CLOSED: Failure = {
  code: 'closed',
  message: 'The server was ended before it was connected.',
  advice: 'Start again.',
};

function saysListChanged(message: Buffer): boolean {
  return message.length <= SHORT_BYTES && message.includes(LIST_CHANGED);
}

/** Output about one server. Its stderr and log messages would disturb the chat; the last lines are kept. */
function serverOutput(name: string, stderr: string[], printNote: (line: string) => void): CommandOutput {
  return {
    json: true,
    width: undefined,
    printText: () => {},
    printLines: () => {},
    printExact: () => {},
    printNote: (source, text) => {
      if (source === 'mcp-inspect') printNote(`mcp-inspect: ${name}: ${text}`);
      else if (source === 'stderr') stderr.splice(0, Math.max(0, stderr.push(text) - REASON_LINES));
    },
    status: { show: () => {}, end: () => {} },
  };
}
