import { isObject, own, type RpcError } from '@/lib/wire/message';
import { EXIT, type ExitCode, Stop } from '../cli/exit-code';
import type { Output } from '../terminal/output';
import { jsonOf } from './json-of';
import type { Answer } from './session';

/** The result of an answer. Throws {@link Stop} for an error, in the server's words. */
export function requireResult(answer: Answer): Extract<Answer, { kind: 'result' }> {
  if (answer.kind === 'result') return answer;
  throw new Stop(EXIT.serverError, errorSentence(answer.error));
}

/** A protocol error in one sentence. */
export function errorSentence({ code, message, data }: RpcError): string {
  return `The server answered with error ${code}: ${message}${data === undefined ? '' : ` ${jsonOf(data)}`}`;
}

/**
 * Prints a result, exactly or by `forPeople`, and tells how it went: a tool's own error and a question in the place of a
 * result are errors to whoever asked.
 */
export function printResult(
  { result, text }: Extract<Answer, { kind: 'result' }>,
  out: Output,
  forPeople: () => string,
): ExitCode {
  if (out.json) out.exact(text);
  else out.say(forPeople());
  const type = isObject(result) ? own(result, 'resultType') : undefined;
  if (type !== undefined && type !== 'complete') {
    out.note(
      'mcp-inspect',
      `This is no result yet: the server answered ${jsonOf(type)}, which can’t be gone on with here.`,
    );
    return EXIT.serverError;
  }
  if (!isObject(result) || own(result, 'isError') !== true) return EXIT.fine;
  out.note('mcp-inspect', 'The tool answered that it failed (isError).');
  return EXIT.serverError;
}
