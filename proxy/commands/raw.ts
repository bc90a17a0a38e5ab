import { withoutBom } from '@/lib/json/parse';
import { isObject, own } from '@/lib/json/value';
import { outcomeOf } from '@/lib/mcp/requests';
import type { RequestId } from '@/lib/wire/message';
import { EXIT, type ExitCode } from '@/proxy/cli/exit-code';
import { readText } from './headless/call-arguments';
import { onServer } from './headless/on-server';
import { messagesIn, REFUSAL_MS } from './headless/server-connection';

/** Sends texts exactly as given, in order, and prints each whole line that answers a message with an id. */
export const run = onServer(async ({ words }) => {
  const texts: string[] = [];
  for (const word of words) texts.push(rawText(await readText(word), word));
  return async ({ connection, out }) => {
    let code: ExitCode = EXIT.fine;
    let printed = 0;
    const print = (line: string): void => {
      printed++;
      (out.json ? out.printExact : out.printText)(line);
      if (saysError(line)) code = EXIT.serverError;
    };
    for (const text of texts) {
      const messages = messagesIn(text);
      const ids = requestIdsIn(messages);
      out.status.show('Waiting for the response… Ctrl-C cancels');
      if (ids) {
        if (messages.some(hasOddId)) {
          out.printNote(
            'mcp-inspect',
            'A message has an id that is neither a string nor a number, so no response can be matched to it.',
          );
        }
        await connection.sendRaw(text, ids, print);
        continue;
      }
      const before = printed;
      await connection.sendText(text, print);
      if (printed === before) {
        out.printNote('mcp-inspect', `Sent text that is not a message. No error came within ${REFUSAL_MS / 1000} s.`);
      }
    }
    out.status.end();
    return code;
  };
});

/**
 * Returns the text to send. JSON goes without the byte order mark and the white space that editors add around it. Other
 * text loses only the last line feed of a file, since one is sent after it.
 */
function rawText(text: string, word: string): string {
  const bare = withoutBom(text).trim();
  if (messagesIn(bare).length > 0) return bare;
  return word === '-' || word.startsWith('@') ? text.replace(/\n$/, '') : text;
}

/** True for a request with an invalid id. */
function hasOddId(message: unknown): boolean {
  return (
    isObject(message) && typeof own(message, 'method') === 'string' && 'id' in message && idOf(message).length === 0
  );
}

/** Returns the ids of the requests in a text; undefined if the text is not a message or a batch. */
export function requestIdsIn(messages: readonly unknown[]): readonly RequestId[] | undefined {
  return messages.length > 0 && messages.every(isObject) ? messages.flatMap(idOf) : undefined;
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
