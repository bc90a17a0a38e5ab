import type { Problem } from '@/lib/problems/problem';
import type { Severity } from '@/lib/problems/rule';

/** The problems of one rule. */
export interface ProblemGroup {
  readonly rule: string;
  readonly severity: Severity;
  readonly title: string;
  readonly advice: string;
  readonly problems: readonly Problem[];
}

const ORDER: readonly Severity[] = ['error', 'warning', 'info'];

/** What a person filters by: how grave they are at least. */
export const LEVELS = ['All', 'Errors', 'Warnings', 'Info'] as const;
export type Level = (typeof LEVELS)[number];
const OF_LEVEL: Readonly<Record<Level, Severity | undefined>> = {
  All: undefined,
  Errors: 'error',
  Warnings: 'warning',
  Info: 'info',
};

/** Problems of a severity with all the words in them, by rule: errors first, then in the order found. */
export function grouped(problems: readonly Problem[], level: Level, words: string): readonly ProblemGroup[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, { first: Problem; problems: Problem[] }>();
  for (const problem of problems) {
    if (OF_LEVEL[level] !== undefined && problem.severity !== OF_LEVEL[level]) continue;
    const { rule, title, message, path = [] } = problem;
    const text = `${rule} ${title} ${message} ${path.join('.')}`.toLowerCase();
    if (!wanted.every((word) => text.includes(word))) continue;
    const group = groups.get(rule);
    if (group) group.problems.push(problem);
    else groups.set(rule, { first: problem, problems: [problem] });
  }
  return [...groups.values()]
    .map(({ first: { rule, severity, title, advice }, problems: found }) => ({
      rule,
      severity,
      title,
      advice,
      problems: found,
    }))
    .sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}
