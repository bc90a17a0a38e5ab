import type { ReadMessage } from '@/lib/session/read-messages';
import type { Era } from '@/lib/wire/lifecycle';
import type { Listener } from './event-text';
import type { Outlet } from './outlet';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/** It stays open as long as the client likes (2026-07-28). */
export const LISTEN = 'subscriptions/listen';

/** A request of the client's that is being answered. */
export interface Asked {
  /** JSON text. */
  readonly id: string;
  readonly method: string;
  readonly read: ReadMessage;
  /** Exact text. */
  readonly params: string | undefined;
  /** The version that its `_meta` names (2026-07-28). */
  readonly version: string | undefined;
  readonly listener: Listener;
  readonly outlet: Outlet;
  readonly abort: AbortController;
}

/** Takes a request apart. */
export function toAsked(
  read: ReadMessage & { readonly id: string },
  era: Era,
  outlet: Outlet,
  questionId: Listener['questionId'],
): Asked {
  const { message, params, id } = read;
  const meta = params?.member('_meta');
  const token = meta?.member('progressToken');
  const version = meta?.member(VERSION);
  return {
    id,
    method: message.method ?? '',
    read,
    params: params?.text,
    version: version?.kind === 'string' ? (version.value as string) : undefined,
    listener: {
      progressToken: token?.kind === 'string' || token?.kind === 'number' ? token.text : undefined,
      logs: era === 'legacy' || meta?.member(LOG_LEVEL) !== undefined,
      questionId,
    },
    outlet,
    abort: new AbortController(),
  };
}
