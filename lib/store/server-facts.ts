import { isObject, type JsonObject, own } from '@/lib/wire/message';
import type { ServerFacts, ServerInfo } from './state';

/** Where servers of the modern era say who they are (spec 2026-07-28, `_meta` of a result). */
const META_SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** What an answer to `initialize` or `server/discover` says, or undefined if it says nothing usable. */
export function toServerFacts(seq: number, result: unknown): ServerFacts | undefined {
  if (!isObject(result)) return undefined;
  const meta = own(result, '_meta');
  const info = own(result, 'serverInfo') ?? (isObject(meta) ? own(meta, META_SERVER_INFO) : undefined);
  const capabilities = own(result, 'capabilities');
  const instructions = own(result, 'instructions');
  return {
    info: isObject(info) ? toServerInfo(info) : undefined,
    capabilities: isObject(capabilities) ? capabilities : undefined,
    instructions: typeof instructions === 'string' ? instructions : undefined,
    seq,
  };
}

function toServerInfo(raw: JsonObject): ServerInfo {
  const title = own(raw, 'title');
  return {
    ...raw,
    name: asText(own(raw, 'name')),
    version: asText(own(raw, 'version')),
    title: typeof title === 'string' ? title : undefined,
  };
}

function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
