import type { ChatRequest } from '@/features/chat/lib/chat-api';
import { isCallDecision, isChatSettings, isPersonsPart } from '@/features/chat/lib/chat-frame';
import {
  anyCheck,
  isNumber,
  isObject,
  isText,
  isTextList,
  listOf,
  objectWith,
  oneOf,
  optional,
  type TypeCheck,
} from '@/lib/json/value';
import { askRoute, requestReader } from '@/proxy/http/ask-route';
import type { HttpRoute } from '@/proxy/http/routes';

/** Longest request in bytes: a message with pictures, or a large resource. */
const CHAT_BODY_BYTES = 32 * 1024 * 1024;

const isId: TypeCheck = anyCheck(isText, isNumber);
const textValues: TypeCheck = (value) => isObject(value) && Object.values(value).every(isText);

/** Reads a request of the page; undefined if it is malformed. */
export const readChatRequest = requestReader<ChatRequest>({
  list: {},
  models: { provider: optional(isText), baseUrl: optional(isText) },
  start: { connections: isTextList, settings: isChatSettings },
  replay: { source: isText, leaf: isText, connections: isTextList },
  settings: { chat: isText, settings: isChatSettings, connections: optional(isTextList) },
  send: { chat: isText, parent: optional(isText), parts: listOf(isPersonsPart) },
  retry: { chat: isText, turn: isText },
  decide: { chat: isText, call: isText, decision: isCallDecision, settings: optional(isChatSettings) },
  cancel: { chat: isText },
  key: { provider: isText, baseUrl: optional(isText), key: isText },
  offers: { connections: isTextList },
  prompt: { connection: isText, name: isText, arguments: textValues },
  resource: { connection: isText, uri: isText },
  forget: { chat: isText },
  sampling: {
    connection: isText,
    choice: objectWith({ mode: oneOf('ask', 'review', 'auto'), settings: isChatSettings }),
  },
  complete: { connection: isText, id: isId, key: optional(isText), params: optional(isText) },
  stop: { connection: isText, id: isId, key: optional(isText) },
});

/** The route of everything that the page asks of chats. `run` rejects with a Failure. */
export function chatRoute(run: (request: ChatRequest) => Promise<unknown>): HttpRoute {
  return askRoute({ path: '/api/chats', bodyBytes: CHAT_BODY_BYTES, read: readChatRequest, run });
}
