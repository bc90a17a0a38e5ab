import { writtenNames } from '@/features/chat/lib/tool-names';
import { toolsOfServers } from './allowance';
import { listResources } from './message-parts';
import { slashCandidates } from './slash-commands';
import type { TerminalHost } from './terminal-host';

/** Completes the end of a message: a command and its words, a resource after `@`, or the name of a tool. */
export async function completeMessage(
  line: string,
  host: TerminalHost,
): Promise<readonly [candidates: readonly string[], end: string]> {
  // A list may be given with commas.
  const [end = ''] = /[^\s,]*$/.exec(line) ?? [];
  const starting = (candidates: readonly string[]) =>
    [[...new Set(candidates)].filter((one) => one.startsWith(end)), end] as const;
  if (line.startsWith('/')) return starting(await slashCandidates(host, line));
  if (end === '') return [[], ''];
  if (!end.startsWith('@')) {
    const tools = (await toolsOfServers(host.servers, host.settings.naming)) ?? [];
    return starting(tools.flatMap(writtenNames));
  }
  const resources = await listResources(host.servers);
  return starting(resources.flatMap(({ uri, name }) => [`@${uri}`, `@${name}`]));
}
