// The answer of a model to a server's request for a completion → the result, in the form of the connection's protocol
// version.
import { isObject, type JsonObject } from '@/lib/json/value';
import { PROTOCOL_VERSIONS, type ProtocolVersion } from '@/lib/wire/lifecycle';
import type { ModelAnswer } from './ask-model';
import type { ChatMessage, ChatPart, OfferedTool } from './chat-frame';
import type { AnswerTurn } from './chat-state';
import { ModelError } from './model';
import { toolNamed } from './tool-names';

/** The model's answer. A person may change it before the server gets it as {@link samplingResult}. */
export interface SamplingAnswer extends ModelAnswer {
  /** As `provider:model`. */
  readonly model: string;
}

/** Since this version, a request may have tools, and content may be a list. */
const TOOLS_SINCE: ProtocolVersion = '2025-11-25';

/** Returns the answer of a completion that has ended well; undefined for others. */
export function samplingAnswerIn(turn: AnswerTurn): Pick<SamplingAnswer, 'message' | 'model' | 'reason'> | undefined {
  const request = turn.requests.at(-1);
  const { response } = request ?? {};
  const { reason } = turn.end ?? {};
  if (request === undefined || response === undefined || reason === undefined) return undefined;
  if (reason === 'error' || reason === 'cancelled' || reason === 'limit') return undefined;
  const model = turn.settings?.model ?? '';
  return { message: withOwnNames(response.message, request.tools), model, reason };
}

/** Names the tools of calls as the server does. */
export function withOwnNames({ role, parts }: ChatMessage, tools: readonly OfferedTool[]): ChatMessage {
  const named = (part: ChatPart) =>
    part.type === 'call' ? { ...part, name: toolNamed(tools, part.name)?.tool ?? part.name } : part;
  return { role, parts: parts.map(named) };
}

/** MCP's words for why a model stopped. */
const STOP_REASONS: Partial<Record<ModelAnswer['reason'], string>> = {
  stop: 'endTurn',
  calls: 'toolUse',
  length: 'maxTokens',
};

/**
 * Returns the result of a sampling request. Versions without tools have one content, so texts are joined. Throws
 * ModelError for an answer without content.
 */
export function samplingResult(
  { message, model, reason }: Pick<SamplingAnswer, 'message' | 'model' | 'reason'>,
  version: ProtocolVersion,
): JsonObject {
  const hasTools = PROTOCOL_VERSIONS.indexOf(version) >= PROTOCOL_VERSIONS.indexOf(TOOLS_SINCE);
  const blocks = message.parts.flatMap((part) => blockOf(part, hasTools));
  const stopReason = STOP_REASONS[reason];
  const texts = blocks.flatMap(({ type, text }) => (type === 'text' ? [text] : []));
  if (blocks.length === 0) {
    throw new ModelError('empty-answer', 'The model answered without text.', 'Write the answer, or ask again.');
  }
  const isText = texts.length === blocks.length;
  // A list only where it is needed: most servers expect one content.
  const isList = hasTools && !isText && blocks.length > 1;
  const content = isList ? blocks : texts.length > 0 ? { type: 'text', text: texts.join('') } : blocks[0];
  return { role: 'assistant', content, model, ...(stopReason !== undefined && { stopReason }) };
}

function blockOf(part: ChatPart, hasTools: boolean): JsonObject[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }];
  if (part.type === 'media')
    return [{ type: part.mimeType.startsWith('audio/') ? 'audio' : 'image', data: part.data, mimeType: part.mimeType }];
  if (part.type !== 'call' || !hasTools) return [];
  return [{ type: 'tool_use', id: part.id, name: part.name, input: inputOf(part.arguments) }];
}

function inputOf(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
