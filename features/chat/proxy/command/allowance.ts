import type { Allowance, OfferedTool } from '@/features/chat/lib/chat-frame';
import type { ChatServer } from '@/features/chat/lib/model';
import { offerTools, writtenNames } from '@/features/chat/lib/tool-names';
import { closest } from '@/proxy/cli/closest';
import { usageError } from '@/proxy/cli/exit-code';
import { lastValue, type ParsedOptions } from '@/proxy/cli/grammar';

/** Reads `--allow`: which calls run without a person. Nothing does unless it is given. Throws an ExitError. */
export function readAllowance(given: ParsedOptions): Allowance {
  if ((given.get('allow') ?? []).length > 1)
    throw usageError('`--allow` is given twice: separate the names with commas.');
  const text = lastValue(given, 'allow');
  return text === undefined ? { mode: 'ask' } : parseAllowance(text, '`--allow`');
}

/** Reads a list of names and of the words that stand for several tools. `what` names it. Throws an ExitError. */
export function parseAllowance(text: string, what: string): Allowance {
  const words = text.split(',').map((word) => word.trim());
  if (words.includes(''))
    throw usageError(`${what} has an empty name: write \`read-only\`, \`all\` or names of tools after it.`);
  const written = words.filter((word) => !WORDS.has(word));
  const mode = words.includes('all') ? 'all' : words.includes('read-only') ? 'read-only' : 'ask';
  return { mode, ...(written.length > 0 && { written }) };
}

const WORDS: ReadonlySet<string> = new Set(['ask', 'read-only', 'all']);

/** Lists the tools of servers as a model sees them; undefined if a list can’t be read. */
export async function toolsOfServers(
  servers: readonly ChatServer[],
  naming: string | undefined,
): Promise<readonly OfferedTool[] | undefined> {
  try {
    const listed = servers.map(async (server) => ({ server: server.name, tools: await server.tools() }));
    return offerTools(await Promise.all(listed), naming);
  } catch {
    // The answer will say so.
    return undefined;
  }
}

/** Throws an ExitError if a name is that of no tool. `what` says where the names are. */
export function requireTools({ written = [] }: Allowance, tools: readonly OfferedTool[], what: string): void {
  const names = [...new Set(tools.flatMap(writtenNames))];
  const unknown = written.find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const near = closest(unknown, names);
  const advice = near
    ? `did you mean \`${near}\`?`
    : 'run `mcp-inspect list tools` with the same servers to see their names.';
  throw usageError(`${what} names \`${unknown.slice(0, 100)}\`, but no server has this tool: ${advice}`);
}
