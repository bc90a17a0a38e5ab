import { useMemo } from 'react';
import { Badge } from '@/components/ui/badge';
import { Sentence } from '@/components/ui/notices';
import { useLogState } from '@/lib/hooks/log';
import { useProblems } from '@/lib/hooks/problems';
import type { Problem } from '@/lib/problems/problem';
import type { Log } from '@/lib/store/log';
import type { LogState } from '@/lib/store/state/state';

/** Problems of rules that only one of two runs breaks, without notes. */
interface ProblemDifference {
  readonly fresh: readonly Problem[];
  readonly gone: readonly Problem[];
}

/**
 * Compares the problems of two runs by rule. A rule counts as kept again only if the earlier run broke it while its
 * lists were read, because later calls may not have been made again.
 */
export function useProblemChanges(was: Log, is: Log): ProblemDifference {
  const [before, after] = [useProblems(was), useProblems(is)];
  const opening = useLogState(was, lastOpeningSeq);
  const [wasVersion, isVersion] = [before.version, after.version];
  // biome-ignore lint/correctness/useExhaustiveDependencies: lists change with their version
  return useMemo(() => {
    const serious = (all: readonly Problem[]) => all.filter(({ severity }) => severity !== 'info');
    const rulesOf = (all: readonly Problem[]) => new Set(all.map(({ rule }) => rule));
    const [old, now] = [serious(before.all), serious(after.all)];
    const [oldRules, nowRules] = [rulesOf(old), rulesOf(now)];
    return {
      fresh: firstOfRule(now.filter(({ rule }) => !oldRules.has(rule))),
      gone: firstOfRule(old.filter(({ rule, seqs }) => !nowRules.has(rule) && (seqs[0] ?? 0) <= opening)),
    };
  }, [before, after, wasVersion, isVersion, opening]);
}

/** Seq of the last frame of the handshake and the lists. */
function lastOpeningSeq({ server, tools, prompts, resources, templates }: LogState): number {
  return Math.max(server.seq ?? 0, ...[tools, prompts, resources, templates].map(({ seqs }) => seqs.at(-1) ?? 0));
}

function firstOfRule(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ rule }, at) => problems.findIndex((other) => other.rule === rule) === at);
}

/** The rules that only the newer run breaks, and those that only the older one broke. */
export function ProblemChanges({ fresh, gone }: ProblemDifference) {
  return (
    <ul>
      {[...fresh.map((problem) => [problem, true] as const), ...gone.map((problem) => [problem, false] as const)].map(
        ([problem, isNew]) => (
          <li
            key={`${problem.rule} ${isNew}`}
            className="flex min-w-0 flex-wrap items-baseline gap-x-2 border-b border-line px-3 py-1"
          >
            <Badge tone={isNew ? 'error' : 'ok'}>{isNew ? 'new' : 'gone'}</Badge>
            <span className="min-w-0 break-words">
              <Sentence text={problem.message} />
            </span>
          </li>
        ),
      )}
    </ul>
  );
}
