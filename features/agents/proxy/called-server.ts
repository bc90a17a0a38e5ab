import { basename, join } from 'node:path';
import type { Allowance } from '@/features/chat/lib/chat-frame';
import { isCallAllowed } from '@/features/chat/lib/loop';
import { offerTools } from '@/features/chat/lib/tool-names';
import { ChatServers } from '@/features/chat/proxy/command/chat-servers';
import type { CommandServer } from '@/features/chat/proxy/command/command-server';
import type { FailedServer } from '@/features/chat/proxy/command/failed-server';
import type { JsonObject } from '@/lib/json/value';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { isFailure } from '@/lib/wire/lifecycle';
import { ExitError } from '@/proxy/cli/exit-code';
import type { ServerOptions } from '@/proxy/cli/server-options';
import { findLaunch } from '@/proxy/commands/headless/on-server';
import { makeFolder } from '@/proxy/files/data-folder';
import { newFileName } from '@/proxy/recorder/file-names';
import type { CallableServer } from './callable-server';
import { ToolError } from './tool-error';

/** How the server is found, and where its sessions are recorded. */
interface CalledServerOptions {
  readonly options: ServerOptions;
  /** The tools that may be called. */
  readonly allow: Allowance;
  readonly home: string;
  readonly version: string;
  /** Folder of recordings. */
  readonly folder: string;
  printNote(line: string): void;
}

/** The server of the command line, started at the first call. Each session is a recording of its own. */
export class CalledServer implements CallableServer {
  recording: string | undefined;
  readonly #how: CalledServerOptions;
  readonly #servers: ChatServers;
  #connected: CommandServer | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(how: CalledServerOptions) {
    this.#how = how;
    const { options, version, folder, printNote } = how;
    this.#servers = new ChatServers({
      options,
      version,
      printNote,
      secrets: new CaptureRedactor([]),
      client: () => undefined,
      record: (name) => {
        makeFolder(folder);
        const file = newFileName(new Date().toISOString(), name, process.pid);
        this.recording = basename(file, '.mcpr.jsonl');
        return join(folder, file);
      },
    });
  }

  connect(restart: boolean, signal: AbortSignal): Promise<string | undefined> {
    // Two calls at once must not start two servers.
    const done = this.#last.then(() => (signal.aborted ? 'The call was cancelled.' : this.#connect(restart)));
    this.#last = done.catch(() => {});
    return done;
  }

  async #connect(restart: boolean): Promise<string | undefined> {
    if (this.#connected && !this.#connected.lost && !restart) return undefined;
    this.#connected = undefined;
    this.recording = undefined;
    const { options, home, printNote } = this.#how;
    try {
      const launch = () => findLaunch(options, home, 'auto', { ask: undefined, printNote });
      const found = await launch();
      const server = await this.#servers.restart({ name: found.name, launch: async () => found });
      if ('failure' in server) return failureSentence(server);
      this.#connected = server;
      return undefined;
    } catch (error) {
      if (error instanceof ExitError) return error.message;
      throw error;
    }
  }

  async listTools(signal: AbortSignal): Promise<string | undefined> {
    try {
      signal.throwIfAborted();
      this.#connected?.forgetLists();
      await this.#connected?.tools();
      return undefined;
    } catch (error) {
      if (isFailure(error)) return `${error.message} ${error.advice}`;
      if (error instanceof ExitError) return error.message;
      throw error;
    }
  }

  async callTool(name: string, args: JsonObject, signal: AbortSignal): Promise<number | undefined> {
    let sent: number | undefined;
    const onSent = (seq: number): void => {
      sent = seq;
    };
    await this.#requireAllowed(name, signal);
    try {
      await this.#connected?.callTool(name, args, { signal, text: JSON.stringify(args), onSent });
    } catch (error) {
      // It was cancelled, which the recording tells.
      if (!signal.aborted) throw error;
    }
    return sent;
  }

  /** Throws a ToolError if `--allow` does not name the tool. */
  async #requireAllowed(name: string, signal: AbortSignal): Promise<void> {
    const { allow } = this.#how;
    if (allow.mode === 'all') return;
    const wrong = await this.listTools(signal);
    if (wrong !== undefined)
      throw new ToolError(`Its tools can’t be listed, and \`--allow\` names only some. ${wrong}`);
    const server = this.#connected!;
    const offered = offerTools([{ server: server.name, tools: await server.tools() }]);
    const tool = offered.find((one) => one.tool === name);
    if (tool && isCallAllowed(tool, allow, offered)) return;
    throw new ToolError('`--allow` of mcp-inspect does not name this tool, so it was not called. Ask the user.');
  }

  close(): Promise<void> {
    return this.#servers.close();
  }
}

function failureSentence({ failure }: FailedServer): string {
  return `${failure.message} ${failure.advice}`;
}
