import type { JsonSource } from '@/lib/json/source';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { modernMeta } from '@/lib/mcp/versions';
import { idKey, type RequestId } from '@/lib/wire/message';
import type { Log } from './log';
import { PROMPTS, RESOURCES, TEMPLATES, TOOLS } from './state/listings';
import type { ListEntry } from './state/state';

/** Returns the message in frame `seq`. In a batch, returns the one with this id, otherwise the first. */
export function messageSource(log: Log, seq: number, id?: RequestId | null): JsonSource | undefined {
  const frame = log.json(seq - 1);
  if (frame?.kind !== 'array') return frame?.kind === 'object' ? frame : undefined;
  const items = frame.value as readonly unknown[];
  const found = items.findIndex((item) => isObject(item) && idKey(own(item, 'id')) === idKey(id));
  return frame.item(found >= 0 ? found : items.findIndex(isObject));
}

const LIST_MEMBERS = {
  tools: TOOLS.member,
  resources: RESOURCES.member,
  templates: TEMPLATES.member,
  prompts: PROMPTS.member,
} as const;

/** Returns a listed item as the server wrote it, with its exact digits; undefined if it was evicted. */
export function entrySource(log: Log, list: keyof typeof LIST_MEMBERS, entry: ListEntry): JsonSource | undefined {
  const result = messageSource(log, entry.seq, log.row(entry.seq - 1).id)?.member('result');
  return result?.member(LIST_MEMBERS[list])?.item(entry.place);
}

/** The client info for `_meta` if the connection's own requests are unavailable. Servers accept any name. */
const CLIENT = { name: 'mcp-inspect', version: '0' };

/** Returns the `_meta` that every request of this connection must have (2026-07-28); undefined in the legacy era. */
export function requestMeta(log: Log): JsonObject | undefined {
  const { era, version } = log.state.connection;
  if (era !== 'modern' || version === undefined) return undefined;
  const needed = modernMeta(version, CLIENT, {}, undefined);
  const sent = sentMeta(log);
  return Object.fromEntries(Object.entries(needed).map(([key, value]) => [key, own(sent, key) ?? value]));
}

/** Returns the `_meta` of the handshake request. */
function sentMeta(log: Log): JsonObject {
  const { seq } = log.state.server;
  const request = seq === undefined ? undefined : log.row(seq - 1).peer;
  const meta =
    request === undefined ? undefined : messageSource(log, request)?.member('params')?.member('_meta')?.value;
  return isObject(meta) ? meta : {};
}
