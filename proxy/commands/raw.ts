import { isObject, own } from '@/lib/json/value';
import { outcomeOf } from '@/lib/mcp/requests';
import type { RequestId } from '@/lib/wire/message';
import { EXIT, type ExitCode } from '@/proxy/cli/exit-code';
import { readInput } from './call-arguments';
import { onServer } from './on-server';
import { messagesIn } from './server-connection';

/** Sends JSON texts exactly as given, in order, and prints each whole line that answers a message with an id. */
export const run = onServer(async ({ words }) => {
  const texts: string[] = [];
  for (const word of words) texts.push(await readInput(word));
  return async ({ connection, out }) => {
    let code: ExitCode = EXIT.fine;
    for (const text of texts) {
      const messages = messagesIn(text);
      if (messages.some(hasOddId)) {
        out.printNote(
          'mcp-inspect',
          'A message has an id that is neither a string nor a number, so no response can be matched to it.',
        );
      }
      out.status.show('Waiting for the response… Ctrl-C cancels');
      await connection.sendRaw(text, messages.flatMap(idOf), (line) => {
        (out.json ? out.printExact : out.printText)(line);
        if (saysError(line)) code = EXIT.serverError;
      });
    }
    out.status.end();
    return code;
  };
});

/** True for a request with an invalid id. */
function hasOddId(message: unknown): boolean {
  return (
    isObject(message) && typeof own(message, 'method') === 'string' && 'id' in message && idOf(message).length === 0
  );
}

function idOf(message: unknown): readonly RequestId[] {
  if (!isObject(message) || typeof own(message, 'method') !== 'string') return [];
  const id = own(message, 'id');
  return typeof id === 'string' || typeof id === 'number' ? [id] : [];
}

function saysError(line: string): boolean {
  return messagesIn(line).some((message) => {
    const isAnswer = isObject(message) && typeof own(message, 'method') !== 'string';
    const outcome = isAnswer ? outcomeOf(message) : undefined;
    if (outcome?.kind !== 'result') return outcome?.kind === 'error';
    return isObject(outcome.result) && own(outcome.result, 'isError') === true;
  });
}
