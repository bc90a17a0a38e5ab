import { existsSync } from 'node:fs';
import { readAllowance } from '@/features/chat/proxy/command/allowance';
import { EXIT, usageError } from '@/proxy/cli/exit-code';
import type { CommandContext, RunCommand } from '@/proxy/cli/grammar';
import { requireServer } from '@/proxy/cli/server-options';
import { endOnSignals } from '@/proxy/cli/signals';
import { fileAccess } from '@/proxy/commands/shared/file-access';
import { isCopied, localFiles } from '@/proxy/commands/shared/recording-files';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { serveAgents } from './agent-server';
import type { CallableServer } from './callable-server';
import { RecordedSources } from './recorded-sources';

/** Options that name a server, whose tools may be called only with `--allow`. */
const NAME_SERVER = ['server', 'config', 'demo'];

/** Runs an MCP server over stdio with which agents look at recordings. */
export const run: RunCommand = async (context) => {
  const { request, version, printNote } = context;
  const { words } = request;
  if (words.includes('-')) throw usageError('`-` is stdin, which the client writes to: name a file.');
  const missing = words.find((word) => !isCopied(word) && !existsSync(word));
  if (missing !== undefined) throw usageError(`\`${missing}\` was not found. Check the path after \`mcp\`.`);
  const [remote, paths] = [words.filter(isCopied), words.filter((word) => !isCopied(word))];
  const copies = remote.length === 0 ? [] : await localFiles(remote, fileAccess(context));
  const sources = new RecordedSources(ownRecordingsFolder(), [...paths, ...copies.map(({ path }) => path)]);
  const server = await callableServer(context);
  const close = async (): Promise<void> => {
    await Promise.all([server?.close(), sources.close()]);
  };
  endOnSignals({
    shutdown: close,
    hasServers: () => server?.recording !== undefined,
    say: printNote,
    failureCode: EXIT.internal,
    needsStdout: true,
  });
  if (process.stdin.isTTY) printNote(AT_TERMINAL);
  await serveAgents({ version, sources, server }, process.stdin, process.stdout);
  await close();
  return EXIT.fine;
};

const AT_TERMINAL =
  'mcp-inspect: This is an MCP server, which waits for a client on stdin. `mcp-inspect mcp add HOST` puts it into a host.';

/** Loads the code of a live connection only if its tools may be called. Throws an ExitError. */
async function callableServer({
  request,
  version,
  home,
  printNote,
}: CommandContext): Promise<CallableServer | undefined> {
  const { given } = request;
  const isNamed = request.server.length > 0 || NAME_SERVER.some((name) => given.has(name));
  if (!given.has('allow')) {
    if (isNamed)
      throw usageError('A server is only used with `--allow WHICH`, which says which tools agents may call.');
    return undefined;
  }
  const allow = readAllowance(given);
  const options = requireServer(request);
  const { CalledServer } = await import('./called-server');
  return new CalledServer({ options, allow, home, version, folder: ownRecordingsFolder(), printNote });
}
