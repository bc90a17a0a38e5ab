import { SERVER_INFO_KEY } from '@/lib/mcp/modern-meta';
import { parseBounded } from '@/lib/wire/bounded-json';
import { isObject, own } from '@/lib/wire/message';

/** Characters of a name, for lists. */
const MOST = 200;

/** What a server calls itself in an answer to `initialize` or `server/discover`; undefined for every other message. */
export function serverNameIn(bytes: Uint8Array): string | undefined {
  try {
    const message = parseBounded(new TextDecoder().decode(bytes));
    const result = isObject(message) ? own(message, 'result') : undefined;
    if (!isObject(result)) return undefined;
    const meta = own(result, '_meta');
    const info = own(result, 'serverInfo') ?? (isObject(meta) ? own(meta, SERVER_INFO_KEY) : undefined);
    const name = isObject(info) ? own(info, 'name') : undefined;
    return typeof name === 'string' && name !== '' ? name.slice(0, MOST) : undefined;
  } catch {
    return undefined;
  }
}
