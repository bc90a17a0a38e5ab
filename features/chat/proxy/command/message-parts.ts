import type { ChatPart } from '@/features/chat/lib/chat-frame';
import { cutResult } from '@/features/chat/lib/cut-result';
import type { ChatServer } from '@/features/chat/lib/model';
import { EXIT, ExitError } from '@/proxy/cli/exit-code';

/** `@` and a URI or a name, at the start of a word. */
const MENTION = /(?<=^|\s)@(\S+)/g;
/** Most resources of a message. */
const MOST_MENTIONS = 20;

/**
 * Returns the parts of a message: its text, and after it each resource that it mentions as `@URI` or `@NAME`. Other
 * words with `@` are text. All resources together have at most `most` characters. If some were cut, a part says so
 * to the model, and `onCut` gets a sentence for the person. Rejects with an ExitError if a resource can’t be read.
 */
export async function messageParts(
  text: string,
  servers: readonly ChatServer[],
  signal: AbortSignal,
  most: number,
  onCut: (sentence: string) => void,
): Promise<readonly ChatPart[]> {
  const mentions = [...new Set([...text.matchAll(MENTION)].map(([, word]) => word!))].slice(0, MOST_MENTIONS);
  const parts: ChatPart[] = [{ type: 'text', text }];
  if (mentions.length === 0) return parts;
  const listed = await listResources(servers);
  const read: ChatPart[] = [];
  for (const word of mentions) {
    const found = findResource(word, listed, servers);
    if (!found) continue;
    const { server, uri } = found;
    try {
      const content = await server.readResource(uri, signal);
      read.push({ type: 'text', text: `Resource ${uri} of ${server.name}:` });
      for (const part of content) read.push(part);
    } catch (error) {
      signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      throw new ExitError(EXIT.serverError, `Could not read \`${uri}\` of ${server.name}: ${reason}`);
    }
  }
  return [...parts, ...cutParts(read, most, onCut)];
}

/** Bounds what servers add to a message, like a result of a tool. */
export function cutParts(
  parts: readonly ChatPart[],
  most: number,
  onCut: (sentence: string) => void,
): readonly ChatPart[] {
  const cut = cutResult(parts, most);
  if (cut.cutFrom !== undefined)
    onCut(
      `Only the beginning was sent, of ${cut.cutFrom} characters. \`--model-option resultChars=N\` sets the limit.`,
    );
  return cut.parts;
}

interface Listed {
  readonly server: ChatServer;
  readonly uri: string;
  readonly name: string;
}

/** Lists the resources of all servers. A server that fails has none. */
export async function listResources(servers: readonly ChatServer[]): Promise<readonly Listed[]> {
  const lists = await Promise.all(
    servers.map(async (server) => {
      const resources = await server.resources().catch(() => []);
      return resources.map(({ uri, name }) => ({ server, uri, name }));
    }),
  );
  return lists.flat();
}

/** Finds what a word means. An unlisted URI may come from a template: it goes to the server with its scheme. */
function findResource(
  word: string,
  listed: readonly Listed[],
  servers: readonly ChatServer[],
): Pick<Listed, 'server' | 'uri'> | undefined {
  const known = listed.find(({ uri }) => uri === word) ?? listed.find(({ name }) => name === word);
  if (known) return known;
  const [scheme] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(word) ?? [];
  if (scheme === undefined) return undefined;
  const server =
    listed.find(({ uri }) => uri.startsWith(scheme))?.server ?? (servers.length === 1 ? servers[0] : undefined);
  return server && { server, uri: word };
}
