import type { ChatServer } from '@/features/chat/lib/model';
import { endingReason } from '@/lib/store/reason/reason';
import type { Failure } from '@/lib/wire/lifecycle';

/** A server of a chat, which may end by itself. */
export interface EndingServer extends ChatServer {
  /** Why it is gone. */
  readonly lost: FailedServer | undefined;
}

/** A server that can’t be used. */
export interface FailedServer {
  readonly name: string;
  readonly failure: Failure;
  /** The end of its stderr, after the line that explains it. */
  readonly stderr: readonly string[];
}

/** Says why a server is missing, with the end of its stderr. */
export function missingServerText({ name, failure, stderr }: FailedServer): string {
  const printed = stderr.map((line) => `${name} | ${line}`);
  return [`mcp-inspect: ${name}: ${failure.message} ${failure.advice}`, ...printed].join('\n');
}

/** Lines of stderr that are shown. */
const SHOWN_LINES = 10;

/** Returns the last lines of stderr, after an earlier one that explains the end better. */
export function endOfStderr(lines: readonly string[]): readonly string[] {
  const end = lines.slice(-SHOWN_LINES);
  const why = endingReason({ stderr: lines, stdout: [] })?.text;
  return why === undefined || end.some((line) => line.includes(why)) ? end : [why, '…', ...end];
}
