import { quietJson } from '@/lib/ci/server-text';
import type { Failure } from '@/lib/wire/lifecycle';
import { EXIT, type ExitCode } from '@/proxy/cli/exit-code';
import { type CommandContext, lastValue, readCountOption } from '@/proxy/cli/grammar';
import { type CommandOutput, styledText } from '@/proxy/cli/output';
import { plainText } from '@/proxy/cli/plain-text';
import { readSeconds } from '@/proxy/cli/seconds';
import { readServerOptions } from '@/proxy/cli/server-options';
import { type ClientOptions, readClientOptions } from '../headless/client-options';
import { type CommandAction, runOn } from '../headless/on-server';
import { configServers, MOST_JOBS, type NamedServer, requireConfigAlone, sideBySide } from '../shared/config-servers';

/** The output of listing one server, and how it ended. */
interface ListedServer {
  readonly name: string;
  readonly code: ExitCode;
  /** Text for people, or with `--json` a line for each page. */
  readonly lines: readonly string[];
  readonly notes: readonly string[];
  readonly failure: Failure | undefined;
}

/** Runs a listing on every server of a config. `onClose` gets what ends them all. Throws an ExitError. */
export async function listAll(
  { request: { given }, ...context }: CommandContext,
  prepare: () => Promise<CommandAction>,
  onClose: (close: () => Promise<void>) => void,
): Promise<ExitCode> {
  const options = readServerOptions({ command: 'list', words: [], given, server: [] });
  requireConfigAlone(options, 'list');
  const jobs = readCountOption('jobs', lastValue(given, 'jobs') ?? '2', MOST_JOBS);
  const timeout = lastValue(given, 'timeout');
  const json = given.has('json');
  const client = await readClientOptions(given);
  const servers = await configServers(options, context.home, context.printNote);
  const running = new Set<() => Promise<void>>();
  onClose(async () => {
    await Promise.all([...running].map((close) => close()));
  });
  let done = 0;
  const listOne = async (server: NamedServer): Promise<ListedServer> => {
    context.status.show(`${done} of ${servers.length} servers… Ctrl-C cancels`);
    const request = {
      options,
      json,
      client,
      ...(timeout !== undefined && { timeoutMs: readSeconds('timeout', timeout) }),
    };
    const listed = await listServer(server, await prepare(), request, context, running);
    done++;
    return listed;
  };
  const listed = await sideBySide(servers, jobs, listOne);
  context.status.end();
  for (const one of listed) context.printText(json ? jsonOf(one) : textOf(one));
  if (listed.every(({ code }) => code === EXIT.noConnection)) return EXIT.noConnection;
  return listed.find(({ code }) => code !== EXIT.fine)?.code ?? EXIT.fine;
}

async function listServer(
  server: NamedServer,
  action: CommandAction,
  request: {
    readonly options: ReturnType<typeof readServerOptions>;
    readonly json: boolean;
    readonly client: ClientOptions | undefined;
    readonly timeoutMs?: number;
  },
  { version, status }: Pick<CommandContext, 'version' | 'status'>,
  running: Set<() => Promise<void>>,
): Promise<ListedServer> {
  const { name } = server;
  const lines: string[] = [];
  const notes: string[] = [];
  const launch = await server.launch();
  if (!('transport' in launch)) return { name, code: EXIT.noConnection, lines, notes, failure: launch };
  let failure: Failure | undefined;
  const out: CommandOutput = {
    json: request.json,
    width: process.stdout.isTTY ? process.stdout.columns : undefined,
    printText: (text) => lines.push(text),
    printLines: (more) => lines.push(styledText(more, false)),
    printExact: (text) => lines.push(text),
    printNote: (source, text) => {
      if (source === 'mcp-inspect') notes.push(text);
    },
    status: { show: () => {}, end: () => status.end() },
  };
  const connect: CommandAction['connect'] = {
    ...action.connect,
    out,
    explain: async (_out, _look, reason) => {
      failure = reason;
      return true;
    },
  };
  let ended = async (): Promise<void> => {};
  const run: CommandAction = Object.assign((connected: Parameters<CommandAction>[0]) => action(connected), { connect });
  const code = await runOn(launch, run, request, version, (close) => {
    ended = close;
    running.add(close);
  });
  running.delete(ended);
  return { name, code, lines, notes, failure };
}

function textOf({ name, code, lines, notes, failure }: ListedServer): string {
  const none = code === EXIT.noConnection ? 'No connection. ' : '';
  const said = failure ? [`${none}${failure.message} ${failure.advice}`] : [...lines, ...notes];
  return plainText([`# ${name}`, ...said].join('\n'))
    .trimEnd()
    .concat('\n');
}

/** One line: each page exactly as it came. */
function jsonOf({ name, lines, failure }: ListedServer): string {
  if (failure) return quietJson({ server: name, error: failure.message });
  return `{"server":${quietJson(name)},"pages":[${lines.map((line) => line.replace(/[\r\n]/g, ' ')).join(',')}]}`;
}
