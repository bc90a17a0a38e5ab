import type { OfferedTool } from '@/features/chat/lib/chat-frame';
import { writtenNames } from '@/features/chat/lib/tool-names';
import type { EvalCase } from './eval-case';

/** A name in a case that no server offers as a tool. */
export interface UnknownName {
  readonly line: number;
  /** Member of the case that has it. */
  readonly member: 'expect' | 'forbidden' | 'answers';
  readonly name: string;
  /** Names that would be right. */
  readonly known: readonly string[];
}

/**
 * Finds names of tools that no server has. What a case expects must be offered in it. A tool that is forbidden or
 * answered must be one of the file, because both may be written for all cases.
 */
export function unknownNames(
  cases: readonly EvalCase[],
  offeredTo: (one: EvalCase) => readonly OfferedTool[],
): readonly UnknownName[] {
  const all = namesOf(cases.flatMap(offeredTo));
  return cases.flatMap((one) => {
    const offered = namesOf(offeredTo(one));
    const unknown = (member: UnknownName['member'], names: Iterable<string>, known: ReadonlySet<string>) =>
      [...names]
        .filter((name) => !known.has(name))
        .map((name) => ({ line: one.line, member, name, known: [...known] }));
    const { calls, forbidden } = one.expect;
    return [
      ...unknown(
        'expect',
        calls.map(({ tool }) => tool),
        offered,
      ),
      ...unknown('forbidden', forbidden, all),
      ...unknown('answers', one.answers.keys(), all),
    ];
  });
}

/** Returns the names that tools may be given. */
export function namesOf(tools: readonly OfferedTool[]): ReadonlySet<string> {
  return new Set(tools.flatMap(writtenNames));
}
