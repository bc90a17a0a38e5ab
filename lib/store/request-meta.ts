import { modernMeta } from '@/lib/mcp/modern-meta';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { messageSource } from './answer-source';
import type { Log } from './log';

/** For a connection whose own requests are not to be had: a server takes any name. */
const CLIENT = { name: 'mcp-inspect', version: '0' };

/**
 * The `_meta` that every request of this connection must carry (2026-07-28), as our own requests do; undefined in the
 * legacy era, where none must.
 */
export function requestMeta(log: Log): JsonObject | undefined {
  const { era, version } = log.state.connection;
  if (era !== 'modern' || version === undefined) return undefined;
  const needed = modernMeta(version, CLIENT, {}, undefined);
  const sent = sentMeta(log);
  return Object.fromEntries(Object.entries(needed).map(([key, value]) => [key, own(sent, key) ?? value]));
}

/** The `_meta` of the request by which we learned who the server is. */
function sentMeta(log: Log): JsonObject {
  const { seq } = log.state.server;
  const request = seq === undefined ? undefined : log.row(seq - 1).peer;
  const meta =
    request === undefined ? undefined : messageSource(log, request)?.member('params')?.member('_meta')?.value;
  return isObject(meta) ? meta : {};
}
