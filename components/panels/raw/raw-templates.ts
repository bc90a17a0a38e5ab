import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Era } from '@/lib/wire/lifecycle';

/** A message to start from. */
export interface RawTemplate {
  readonly title: string;
  /** {@link templateText} adds `id` and, in the modern era, `_meta`. */
  readonly message: { readonly method: string; readonly params?: JsonObject };
  readonly era?: Era;
}

export const RAW_TEMPLATES: readonly RawTemplate[] = [
  { title: 'ping', message: { method: 'ping' }, era: 'legacy' },
  { title: 'server/discover', message: { method: 'server/discover' }, era: 'modern' },
  { title: 'tools/list', message: { method: 'tools/list' } },
  { title: 'tools/call', message: { method: 'tools/call', params: { name: '', arguments: {} } } },
  { title: 'resources/list', message: { method: 'resources/list' } },
  { title: 'resources/templates/list', message: { method: 'resources/templates/list' } },
  { title: 'resources/read', message: { method: 'resources/read', params: { uri: '' } } },
  { title: 'prompts/list', message: { method: 'prompts/list' } },
  { title: 'prompts/get', message: { method: 'prompts/get', params: { name: '', arguments: {} } } },
  {
    title: 'completion/complete',
    message: {
      method: 'completion/complete',
      params: { ref: { type: 'ref/prompt', name: '' }, argument: { name: '', value: '' } },
    },
  },
  { title: 'logging/setLevel', message: { method: 'logging/setLevel', params: { level: 'debug' } }, era: 'legacy' },
  {
    title: 'initialize',
    message: {
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '0' } },
    },
    era: 'legacy',
  },
  { title: 'notifications/initialized', message: { method: 'notifications/initialized' }, era: 'legacy' },
  {
    title: 'notifications/cancelled',
    message: { method: 'notifications/cancelled', params: { requestId: 0, reason: 'raw' } },
  },
];

/**
 * Returns a template's text on one line, as stdio needs it. Requests get `id`, a string, so that it can't collide with
 * the engine's numbers, and `meta`, which the modern era (2026-07-28) requires.
 */
export function templateText(template: RawTemplate, id: string, meta: JsonObject | undefined): string {
  const { method, params } = template.message;
  const notification = method.startsWith('notifications/');
  const added = meta === undefined || notification ? undefined : { _meta: meta };
  return JSON.stringify({
    jsonrpc: '2.0',
    ...(notification ? {} : { id }),
    method,
    ...((params || added) && { params: { ...params, ...added } }),
  });
}

/** Returns the panel's first text: `initialize` before the handshake, otherwise `tools/list`. */
export function firstText(meta: JsonObject | undefined, isUnopened = false): string {
  const title = isUnopened ? 'initialize' : 'tools/list';
  return templateText(RAW_TEMPLATES.find((row) => row.title === title)!, 'raw-1', meta);
}

/** True for a request without the required `meta`: the server may reject it, or take it for a legacy one. */
export function lacksMeta(message: unknown, meta: JsonObject | undefined): boolean {
  if (meta === undefined || !isObject(message) || own(message, 'id') === undefined) return false;
  if (typeof own(message, 'method') !== 'string') return false;
  const params = own(message, 'params');
  const given = isObject(params) ? own(params, '_meta') : undefined;
  return !isObject(given) || Object.keys(meta).some((key) => own(given, key) === undefined);
}
