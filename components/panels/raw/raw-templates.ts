import type { Era } from '@/lib/wire/lifecycle';
import type { JsonObject } from '@/lib/wire/message';

/** A message to begin from. */
export interface RawTemplate {
  readonly title: string;
  /** `id` and, in the modern era, `_meta` are put in by {@link templateText}. */
  readonly message: JsonObject;
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
  {
    title: 'notifications/cancelled',
    message: { method: 'notifications/cancelled', params: { requestId: 0, reason: 'raw' } },
  },
];

/**
 * A template's text. Requests get `id`, a string so that it meets none of the engine's numbers; in the modern era (`version` known)
 * they get the `_meta` that each must carry (2026-07-28).
 */
export function templateText(
  template: RawTemplate,
  id: string,
  era: Era | undefined,
  version: string | undefined,
): string {
  const { method, params } = template.message;
  const notification = typeof method === 'string' && method.startsWith('notifications/');
  const meta = era === 'modern' && !notification ? { _meta: modernMeta(version) } : undefined;
  const message = {
    jsonrpc: '2.0',
    ...(notification ? {} : { id }),
    method,
    ...(params === undefined && meta === undefined
      ? {}
      : { params: { ...(params as JsonObject | undefined), ...meta } }),
  };
  return JSON.stringify(message, undefined, 2);
}

function modernMeta(version: string | undefined): JsonObject {
  return {
    'io.modelcontextprotocol/protocolVersion': version ?? '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
}
