import { outcomeOf } from '@/lib/mcp/outcome';
import { isObject, own, type RequestId } from '@/lib/wire/message';
import { EXIT } from '../../cli/exit-code';
import { isAnswer, messagesIn } from '../answer-texts';
import { readInput } from '../input';
import type { Subcommand } from '../subcommand';

/** Sends JSON as it stands and prints the lines that answer it, whole. What has no id is sent, and nothing awaited. */
export const raw: Subcommand = async ({ words: [word] }) => {
  const text = await readInput(word!);
  const ids = messagesIn(text).flatMap(idOf);
  return async ({ session, out }) => {
    const lines = await session.exchange(text, ids);
    for (const line of lines) (out.json ? out.exact : out.say)(line);
    return lines.some(saysError) ? EXIT.serverError : EXIT.fine;
  };
};

function idOf(message: unknown): readonly RequestId[] {
  if (!isObject(message) || typeof own(message, 'method') !== 'string') return [];
  const id = own(message, 'id');
  return typeof id === 'string' || typeof id === 'number' ? [id] : [];
}

function saysError(line: string): boolean {
  return messagesIn(line).some((message) => {
    const outcome = isAnswer(message) ? outcomeOf(message) : undefined;
    if (outcome?.kind !== 'result') return outcome?.kind === 'error';
    return isObject(outcome.result) && own(outcome.result, 'isError') === true;
  });
}
