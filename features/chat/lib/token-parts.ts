import { estimateTokens } from '@/lib/wire/token-estimate';
import type { ChatMessage, ChatPart, OfferedTool, TokenPart } from './chat-frame';
import type { ModelRequest } from './model';

/** Tokens of an image. Providers count its pixels, about this many for a screenshot, and not its bytes. */
const MEDIA_TOKENS = 1000;

/** Estimates by part and by tool. A long history repeats the same objects in every request. */
const known = new WeakMap<ChatPart | OfferedTool, number>();

/** Estimates a request's tokens by part: system prompt, each tool's definition, results of calls, and the rest. */
export function tokenParts(request: Pick<ModelRequest, 'system' | 'messages' | 'tools'>): TokenPart[] {
  const { system, messages, tools } = request;
  const parts: TokenPart[] = [];
  if (system !== undefined && system !== '') parts.push({ part: 'system', tokens: estimateTokens(system) });
  for (const tool of tools) {
    parts.push({ part: 'tool', name: tool.name, server: tool.server, tokens: remembered(tool, ofTool) });
  }
  const all = messages.flatMap((message: ChatMessage) => message.parts);
  const sum = (isResult: boolean) =>
    all.reduce((total, part) => ((part.type === 'result') === isResult ? total + remembered(part, ofPart) : total), 0);
  parts.push({ part: 'history', tokens: sum(false) }, { part: 'results', tokens: sum(true) });
  return parts.filter(({ tokens }) => tokens > 0);
}

function remembered<T extends ChatPart | OfferedTool>(value: T, estimate: (value: T) => number): number {
  const before = known.get(value);
  if (before !== undefined) return before;
  const tokens = estimate(value);
  known.set(value, tokens);
  return tokens;
}

function ofTool({ name, description, inputSchema }: OfferedTool): number {
  return estimateTokens({ name, description, inputSchema });
}

function ofPart(part: ChatPart): number {
  if (part.type === 'media') return MEDIA_TOKENS;
  if (part.type === 'result') return part.parts.reduce((total, inner) => total + ofPart(inner), 0);
  if (part.type === 'call') return estimateTokens(part.name) + estimateTokens(part.arguments);
  return estimateTokens(part.text);
}
