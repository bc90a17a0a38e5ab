import type { ChatPart } from '@/features/chat/lib/chat-frame';
import type { AnswerTurn, ChatCall, UserTurn } from '@/features/chat/lib/chat-state';
import type { CaseFacts } from './case-text';

/** Characters of a case's name. */
const NAME_CHARS = 60;
/** Characters of a result that stands in for a tool. */
const ANSWER_CHARS = 2000;

/** Returns a case that expects what the model did in one answer. */
export function caseOfTurn(message: UserTurn, answer: AnswerTurn): CaseFacts {
  const prompt = textOf(message.parts) || 'Write what a person would ask';
  const { system, servers } = answer.settings ?? {};
  // A name that no server offers is a mistake of the model.
  const calls = answer.calls.filter(({ tool }) => tool !== undefined);
  return {
    name: nameOf(prompt),
    prompt,
    system,
    ...(servers && { servers }),
    answers: answersOf(calls),
    calls: calls.map(({ call }) => ({ tool: call.name, arguments: call.arguments })),
  };
}

function nameOf(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0]!;
  return line.length > NAME_CHARS ? `${line.slice(0, NAME_CHARS)}…` : line;
}

/** Short results of tools that were called once stand in for them, so that the case runs the same each time. */
function answersOf(calls: readonly ChatCall[]): readonly (readonly [string, string])[] {
  return calls.flatMap(({ call: { name }, result }) => {
    const isOnce = calls.filter((other) => other.call.name === name).length === 1;
    const text = result && !result.isError ? textOf(result.parts) : '';
    const isText = result?.parts.every(({ type }) => type === 'text');
    return isOnce && isText && text !== '' && text.length <= ANSWER_CHARS ? [[name, text] as const] : [];
  });
}

function textOf(parts: readonly ChatPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
}
