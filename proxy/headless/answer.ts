import { type Asked, structureFaults, tableVersion } from '@/lib/protocol/check-message';
import type { Fault } from '@/lib/protocol/fault';
import { isObject, own } from '@/lib/wire/message';
import { EXIT, type ExitCode, Stop } from '../cli/exit-code';
import { errorSentence } from './answer-texts';
import { jsonOf } from './json-of';
import type { Answer } from './session';
import type { Run } from './subcommand';

/** The result of an answer. Throws {@link Stop} for an error, in the server's words. */
export function requireResult(answer: Answer): Extract<Answer, { kind: 'result' }> {
  if (answer.kind === 'result') return answer;
  throw new Stop(EXIT.serverError, errorSentence(answer.error));
}

/** Most faults of one result to report. */
const TOLD_FAULTS = 3;

/**
 * Reports on stderr why a result is invalid in the negotiated version; false if it is valid or there was no handshake.
 */
export function noteInvalid(
  result: unknown,
  asked: Asked,
  { negotiated, out }: Pick<Run, 'negotiated' | 'out'>,
): boolean {
  if (!negotiated) return false;
  const faults = structureFaults(tableVersion(negotiated.version), asked, result);
  const said = faults.slice(0, TOLD_FAULTS).map((fault) => faultWords(fault, result));
  if (said.length > 0) out.note('mcp-inspect', `Invalid result in MCP ${negotiated.version}: ${said.join('; ')}.`);
  return said.length > 0;
}

function faultWords({ kind, path, expected }: Fault, result: unknown): string {
  const name = path[1];
  if (name === undefined) return `it is ${typeWords(result)}, expected ${expected}`;
  if (kind === 'missing') return `\`${name}\` is missing`;
  return `\`${name}\` is ${typeWords(isObject(result) ? own(result, String(name)) : undefined)}, expected ${expected}`;
}

function typeWords(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/**
 * Prints a result, exactly or by `forPeople`, and returns the exit code. An invalid result, a tool's own error and a
 * question in place of a result are server errors.
 */
export function printResult(
  { result, text }: Extract<Answer, { kind: 'result' }>,
  asked: Asked,
  run: Pick<Run, 'negotiated' | 'out'>,
  forPeople: () => string,
): ExitCode {
  const { out } = run;
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
  if (noteInvalid(result, asked, run)) return EXIT.serverError;
  if (!isObject(result) || own(result, 'isError') !== true) return EXIT.fine;
  out.note('mcp-inspect', 'The tool answered that it failed (isError).');
  return EXIT.serverError;
}
