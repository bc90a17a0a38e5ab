// Content of a server → the parts of a message. Reads leniently: a server can send anything.
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { ChatMessage, ChatPart } from './chat-frame';

/** Returns the parts of a tool's result. Unknown content becomes its JSON, so that the model sees that it is there. */
export function partsOfResult(result: unknown): {
  readonly parts: readonly ChatPart[];
  readonly isError: boolean;
  readonly structured?: unknown;
} {
  if (!isObject(result)) return { parts: [textOf(result)], isError: false };
  const content = own(result, 'content');
  const structured = own(result, 'structuredContent');
  const parts = Array.isArray(content) ? content.map(partOfBlock) : [];
  // The text of the content usually repeats the structured content, so that is only needed without it.
  const shown = parts.length === 0 && structured !== undefined ? [textOf(structured)] : parts;
  return {
    parts: shown,
    isError: own(result, 'isError') === true,
    ...(structured !== undefined && { structured }),
  };
}

/** Returns the messages of a prompt. */
export function messagesOfPrompt(result: unknown): readonly ChatMessage[] {
  const messages = isObject(result) ? own(result, 'messages') : undefined;
  if (!Array.isArray(messages)) return [];
  return messages.filter(isObject).map((message) => {
    const content = own(message, 'content');
    const blocks = Array.isArray(content) ? content : [content];
    return { role: own(message, 'role') === 'assistant' ? 'assistant' : 'user', parts: blocks.map(partOfBlock) };
  });
}

/** Returns the parts of a resource that was read. */
export function partsOfResource(result: unknown): readonly ChatPart[] {
  const contents = isObject(result) ? own(result, 'contents') : undefined;
  return Array.isArray(contents) ? contents.filter(isObject).map(partOfContents) : [];
}

function partOfBlock(block: unknown): ChatPart {
  if (!isObject(block)) return textOf(block);
  const [type, text, data, mimeType] = ['type', 'text', 'data', 'mimeType'].map((name) => own(block, name));
  if (type === 'text' && typeof text === 'string') return { type: 'text', text };
  if ((type === 'image' || type === 'audio') && typeof data === 'string') {
    return { type: 'media', mimeType: typeof mimeType === 'string' ? mimeType : 'application/octet-stream', data };
  }
  const resource = own(block, 'resource');
  return type === 'resource' && isObject(resource) ? partOfContents(resource) : textOf(block);
}

function partOfContents(contents: JsonObject): ChatPart {
  const [uri, text, blob, mimeType] = ['uri', 'text', 'blob', 'mimeType'].map((name) => own(contents, name));
  if (typeof text === 'string') return { type: 'text', text };
  if (typeof blob !== 'string') return textOf(contents);
  return {
    type: 'media',
    mimeType: typeof mimeType === 'string' ? mimeType : 'application/octet-stream',
    data: blob,
    ...(typeof uri === 'string' && { name: uri }),
  };
}

function textOf(value: unknown): ChatPart {
  return { type: 'text', text: typeof value === 'string' ? value : (JSON.stringify(value) ?? '') };
}

/** Returns what the model gets of a call that has no result. */
export function failedCall(text: string) {
  return { parts: [{ type: 'text', text } as const], isError: true };
}
