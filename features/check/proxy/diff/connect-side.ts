import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import type { ExitCode } from '@/proxy/cli/exit-code';
import type { CommandRequest } from '@/proxy/cli/grammar';
import { type CommandOutput, terminalOutput } from '@/proxy/cli/output';
import { readClientOptions } from '@/proxy/commands/headless/client-options';
import {
  type CommandAction,
  type ConnectedServer,
  findLaunch,
  readServerRequest,
  runOn,
  type ServerCommandOptions,
} from '@/proxy/commands/headless/on-server';
import type { ServerClient } from '@/proxy/commands/headless/server-connection';
import type { Launch } from '@/proxy/connection/launch';
import { PlayedSide } from './play-sides';

/** A server that is compared, before it is started. */
export interface PreparedSide {
  readonly side: PlayedSide;
  readonly launch: Launch;
  readonly server: ServerCommandOptions;
}

/** The parts that connections of one comparison share. */
export interface SideSettings {
  readonly redactor: CaptureRedactor;
  readonly secrets: readonly string[];
  readonly version: string;
  /** The client of a recording, unless options describe another. */
  readonly client?: ServerClient;
  /** Replaces the terminal, and takes the error that ends a side. Absent: both are printed. */
  readonly quiet?: Required<Pick<NonNullable<CommandAction['connect']>, 'out' | 'onError'>>;
  /** Gets what ends the connection. */
  onClose(close: () => Promise<void>): void;
}

/** Finds the server of a request. `telling`: options that tell it from the other side. Rejects with an ExitError. */
export async function prepareSide(
  name: string,
  request: CommandRequest,
  telling: string,
  home: string,
  recorded?: ProtocolChoice,
): Promise<PreparedSide> {
  const server = { ...readServerRequest(request), client: await readClientOptions(request.given) };
  const launch = await findLaunch(server.options, home, recorded);
  const { title, protocol } = launch;
  return { side: new PlayedSide({ name, title: title + telling, protocol }), launch, server };
}

/** Connects to a side, runs an action on it, and ends it. Returns the exit code. */
export function connectSide(
  { side, launch, server }: PreparedSide,
  { redactor, secrets, version, client, quiet, onClose }: SideSettings,
  act: (connected: ConnectedServer) => Promise<ExitCode>,
): Promise<ExitCode> {
  const out = sideOutput(side.name, server.json);
  const connect: CommandAction['connect'] = {
    redactor,
    secrets,
    out,
    onFrame: side.onFrame,
    ...(client && !server.client && { client }),
    explain: async (_out, _look, { message, advice }) => {
      out.printNote('mcp-inspect', `${message} ${advice}`);
      return true;
    },
    ...quiet,
  };
  return runOn(launch, Object.assign(act, { connect }), server, version, onClose);
}

/** Prints notes with the name of their side. */
function sideOutput(name: string, json: boolean): CommandOutput {
  const out = terminalOutput(json);
  return {
    ...out,
    printNote: (source, text) =>
      source === 'mcp-inspect' ? out.printNote(source, `${name}: ${text}`) : out.printNote(`${name} ${source}`, text),
  };
}
