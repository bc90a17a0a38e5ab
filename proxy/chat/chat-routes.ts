import type { ChatRequest } from '@/lib/chat/chat-api';
import { isChatSettings } from '@/lib/chat/event-frames';
import {
  anyOf,
  type Check,
  isFlag,
  isNumber,
  isObject,
  isText,
  isTextList,
  type JsonObject,
  objectWith,
  optional,
  own,
} from '@/lib/json/value';
import { bareReply, failureReply, jsonReply } from '@/proxy/http/reply';
import { type HttpRoute, objectIn } from '@/proxy/http/routes';

/** Longest request in bytes: a message with pictures, or a large resource. */
const CHAT_BODY_BYTES = 32 * 1024 * 1024;

/** The route of everything that the page asks of chats. `run` rejects with a Failure. */
export function chatRoutes(run: (request: ChatRequest) => Promise<unknown>): readonly HttpRoute[] {
  return [
    {
      path: '/api/chats',
      method: 'POST',
      upgrade: false,
      access: 'token',
      bodyBytes: CHAT_BODY_BYTES,
      handle: ({ body }) => {
        const request = readChatRequest(objectIn(body));
        return request
          ? run(request).then((reply) => jsonReply(200, reply ?? {}), failureReply)
          : Promise.resolve(bareReply(400));
      },
    },
  ];
}

const is =
  (...words: readonly unknown[]): Check =>
  (value) =>
    words.includes(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
/** A person's message holds only text and media. */
const part: Check = anyOf(
  objectWith({ type: is('text'), text: isText }),
  objectWith({ type: is('media'), mimeType: isText, data: isText, name: optional(isText) }),
);

const decision: Check = anyOf(
  objectWith({ kind: is('run'), arguments: optional(isText) }),
  objectWith({ kind: is('answer'), text: isText, isError: optional(isFlag) }),
  objectWith({ kind: is('refuse'), reason: optional(isText) }),
);

const isId: Check = anyOf(isText, isNumber);
const textValues: Check = (value) => isObject(value) && Object.values(value).every(isText);

/** The members of each kind of request. */
const FIELDS: { readonly [K in ChatRequest['kind']]: Readonly<Record<string, Check>> } = {
  list: {},
  models: { provider: optional(isText), baseUrl: optional(isText) },
  start: { connections: isTextList, settings: isChatSettings },
  replay: { source: isText, leaf: isText, connections: isTextList },
  settings: { chat: isText, settings: isChatSettings, connections: optional(isTextList) },
  send: { chat: isText, parent: optional(isText), parts: listOf(part) },
  retry: { chat: isText, turn: isText },
  decide: { chat: isText, call: isText, decision, settings: optional(isChatSettings) },
  cancel: { chat: isText },
  key: { provider: isText, baseUrl: optional(isText), key: isText },
  offers: { connections: isTextList },
  prompt: { connection: isText, name: isText, arguments: textValues },
  resource: { connection: isText, uri: isText },
  forget: { chat: isText },
  sampling: { connection: isText, choice: objectWith({ mode: is('ask', 'review', 'auto'), settings: isChatSettings }) },
  complete: { connection: isText, id: isId, key: optional(isText), params: optional(isText) },
  stop: { connection: isText, id: isId, key: optional(isText) },
};

/** Reads a request of the page; undefined if it is malformed. */
export function readChatRequest(value: JsonObject | undefined): ChatRequest | undefined {
  const kind = value && own(value, 'kind');
  if (typeof kind !== 'string' || !Object.hasOwn(FIELDS, kind)) return undefined;
  return objectWith(FIELDS[kind as ChatRequest['kind']])(value) ? (value as unknown as ChatRequest) : undefined;
}
