import type { ChatMessage, ChatPart, ToolResultPart } from './chat-frame';
import type { AnswerTurn, ChatModelCall, ChatState } from './chat-state';

/**
 * Returns the messages from the chat's beginning to the end of `turn`, as the next request of `model` repeats them:
 * without failed attempts, and with a result for each call, because providers refuse a call without one.
 */
export function chatMessages(state: ChatState, turn: string, model: string): ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const one of state.pathTo(turn)) {
    if (one.kind === 'user') messages.push({ role: 'user', parts: one.parts });
    else for (const request of one.requests) messages.push(...ofRequest(state, one, request, model));
  }
  return messages;
}

/** Returns true for a request whose answer later requests repeat. */
export function isInHistory({ response }: ChatModelCall): boolean {
  return response !== undefined && response.reason !== 'error' && response.message.parts.some(isKept);
}

/** Reasoning alone is not an answer. */
function isKept({ type }: ChatPart): boolean {
  return type !== 'reasoning';
}

function ofRequest(state: ChatState, turn: AnswerTurn, request: ChatModelCall, model: string): ChatMessage[] {
  if (!isInHistory(request)) return [];
  const response = request.response!;
  // Only the model that wrote them can read its reasoning and its signatures. A broken off one is not valid.
  const keeps = turn.settings?.model === model && response.reason !== 'cancelled' && response.reason !== 'limit';
  const parts = keeps ? response.message.parts : response.message.parts.flatMap(withoutSignature);
  const results = parts.flatMap((part) => (part.type === 'call' ? [resultOf(state, part.id, part.name)] : []));
  const said: ChatMessage = { role: 'assistant', parts };
  return results.length === 0 ? [said] : [said, { role: 'tool', parts: results }];
}

/** The result of a call that never got one. */
export const NO_RESULT = 'The call has no result: the chat was stopped before it ended.';

function resultOf(state: ChatState, id: string, name: string): ToolResultPart {
  const { result, decision } = state.calls.get(id) ?? {};
  if (result === undefined)
    return { type: 'result', id, name, parts: [{ type: 'text', text: NO_RESULT }], isError: true };
  if (decision?.kind !== 'run' || decision.arguments === undefined) return result;
  // Otherwise the model takes it for the result of its own arguments.
  const note = `The user changed the arguments of this call to ${decision.arguments}`;
  return { ...result, parts: [{ type: 'text', text: note }, ...result.parts] };
}

function withoutSignature(part: ChatPart): ChatPart[] {
  if (part.type === 'reasoning') return [];
  if (part.type !== 'call' || part.signature === undefined) return [part];
  const { signature: _, ...call } = part;
  return [call];
}
