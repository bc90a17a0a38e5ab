import type { HostVerdict } from '@/features/host-judge';
import { SEVERITY_RANK } from '@/lib/problems/rule';
import type { AgentRecording } from './agent-recording';
import { connectionEnd, silence, stderrErrors } from './evidence/connection';
import type { AgentFinding, EvidenceReader } from './evidence/evidence';
import { obstaclesOf } from './evidence/hosts';
import { silentListChanges } from './evidence/lists';
import { failedRequests, slowCalls } from './evidence/requests';
import { mimeTypes, swallowedErrors } from './evidence/results';
import { ruleFindings } from './evidence/rules';
import { leakedSecrets } from './evidence/secrets';

/** All kinds of evidence. */
const EVIDENCE: readonly EvidenceReader[] = [
  connectionEnd,
  silence,
  ruleFindings,
  failedRequests,
  leakedSecrets,
  swallowedErrors,
  mimeTypes,
  silentListChanges,
  slowCalls,
  stderrErrors,
];

/** Returns what is wrong in a recording, also for hosts, what matters most first. */
export function agentFindings(
  recording: AgentRecording,
  verdicts: readonly HostVerdict[] = [],
): readonly AgentFinding[] {
  const all = [...EVIDENCE.flatMap((look) => look(recording)), ...obstaclesOf(verdicts)];
  return all.toSorted(
    (one, other) =>
      SEVERITY_RANK[other.severity] - SEVERITY_RANK[one.severity] ||
      other.weight - one.weight ||
      one.seqs[0]! - other.seqs[0]!,
  );
}
