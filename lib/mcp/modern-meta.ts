import type { JsonObject } from '@/lib/wire/message';

/** How we introduce ourselves. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

/** In the `_meta` of modern results: who answered. */
export const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';

/** What `_meta` of every modern request says. `logLevel` absent: the server must not log for this request. */
export function modernMeta(
  version: string,
  clientInfo: ClientInfo,
  capabilities: JsonObject,
  logLevel: string | undefined,
): JsonObject {
  return {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...(logLevel === undefined ? {} : { 'io.modelcontextprotocol/logLevel': logLevel }),
  };
}
