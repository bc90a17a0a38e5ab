import { type ChatRequest, isChatRequest } from '@/features/chat/lib/chat-api';
import { askRoute } from '@/proxy/http/ask-route';
import type { HttpRoute } from '@/proxy/http/routes';

/** Longest request in bytes: a message with pictures, or a large resource. */
const CHAT_BODY_BYTES = 32 * 1024 * 1024;

/** The route of everything that the page asks of chats. `run` rejects with a Failure. */
export function chatRoute(run: (request: ChatRequest) => Promise<unknown>): HttpRoute {
  return askRoute({ path: '/api/chats', bodyBytes: CHAT_BODY_BYTES, accepts: isChatRequest, run });
}
