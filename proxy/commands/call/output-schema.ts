import { topLevelMembers } from '@/lib/json/members';
import { formatPath } from '@/lib/json/outline-path';
import { isObject, own } from '@/lib/json/value';
import type { SchemaFinding } from '@/lib/schema/schema-worker';
import { countOf } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import { EXIT, type ExitCode } from '@/proxy/cli/exit-code';
import type { CommandOutput } from '@/proxy/cli/output';
import type { ResultAnswer } from '../headless/server-connection';
import { runWithin } from '../shared/time-limit';

const NO_BRANCHES = new Map<string, string>();
/** Most characters of a field's name in a note. */
const FIELD_CHARS = 200;

/**
 * Checks the result of a tool against the tool's `outputSchema`. Prints on stderr what does not fit, or why it was not
 * checked.
 */
export async function checkOutput(
  { result, text }: ResultAnswer,
  schema: unknown,
  out: CommandOutput,
): Promise<ExitCode> {
  if (schema === undefined || !isObject(result)) return EXIT.fine;
  if (own(result, 'structuredContent') === undefined) {
    out.printNote('mcp-inspect', 'The tool has an outputSchema, but its result has no structuredContent.');
    return EXIT.serverError;
  }
  const member = topLevelMembers(text).findLast(({ key }) => key === 'structuredContent')!;
  const { findings, unchecked } = await checkBounded(schema, text.slice(member.start, member.end));
  if (unchecked !== undefined) noteUnchecked(unchecked, out);
  const [first] = findings;
  if (first === undefined) return EXIT.fine;
  const more = findings.length > 1 ? `, and ${countOf(findings.length - 1, 'more problem')}` : '';
  out.printNote('mcp-inspect', `The result does not match the tool’s outputSchema: ${findingText(first)}${more}.`);
  return EXIT.serverError;
}

/** Says that a result was not checked, and why. */
export function noteUnchecked(why: string, out: CommandOutput): void {
  out.printNote('mcp-inspect', `The result was not checked against outputSchema: ${why.replace(/\.$/, '')}.`);
}

/** A server's schema may have a pattern that never ends. */
async function checkBounded(schema: unknown, text: string) {
  const { SchemaChecker } = await import('@/lib/schema/check');
  let checked: { findings: readonly SchemaFinding[]; unchecked?: string | undefined } = { findings: [] };
  const isDone = runWithin(LIMITS.rulesMs, () => {
    checked = new SchemaChecker(JSON.stringify(schema)).check(text, NO_BRANCHES);
  });
  return isDone ? checked : { findings: [], unchecked: `it took more than ${LIMITS.rulesMs / 1000} s` };
}

function findingText({ path, text }: SchemaFinding): string {
  return `\`${formatPath(['structuredContent', ...path]).slice(0, FIELD_CHARS)}\` ${text}`;
}
