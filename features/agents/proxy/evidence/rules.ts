import { formatPath } from '@/lib/json/outline-path';
import type { Problem } from '@/lib/problems/problem';
import { type EvidenceReader, WEIGHT } from './evidence';

/** Findings of the rules. */
export const ruleFindings: EvidenceReader = ({ problems, log }) =>
  problems.all.map((problem) => {
    const isClients = log.columns.direction(problem.seqs[0]! - 1) === 'to-server';
    return {
      code: problem.rule,
      severity: problem.severity,
      weight: isClients ? WEIGHT.clientRule : WEIGHT.rule,
      title: isClients ? `${problem.title}, in a message of the client` : problem.title,
      detail: problemText(problem),
      advice: problem.advice,
      seqs: problem.seqs,
      count: problem.count,
    };
  });

/** Returns the message of a problem, and the path of its field. */
export function problemText({ message, path }: Problem): string {
  return path === undefined || path.length === 0 ? message : `${message} (at ${formatPath(path)})`;
}
