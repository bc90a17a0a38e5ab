import { hostFindings, hostSummaries } from '@/features/check/lib/host-findings';
import type { CheckFacts, CheckFinding } from '@/features/check/lib/report';
import { Log } from '@/lib/store/log';
import type { Frame } from '@/lib/wire/frame';
import type { ForHosts } from '@/proxy/commands/shared/for-hosts';

interface ForReport {
  readonly findings: readonly CheckFinding[];
  readonly facts: Pick<CheckFacts, 'hosts'>;
}

/** Judges a session for the hosts of `--for`. */
export function judgeLog({ judge, hosts }: ForHosts, log: Log): ForReport {
  const verdicts = judge(log, hosts, new Date());
  return { findings: hostFindings(verdicts), facts: { hosts: hostSummaries(verdicts) } };
}

/** Judges frames for the hosts of `--for`. Numbers may be missing: they are those of the recording. */
export function judgeFramesForHosts(given: ForHosts, frames: readonly Frame[]): ForReport {
  const log = new Log('hosts');
  log.append(frames.map((frame, at) => ({ ...frame, seq: at + 1 })));
  const { findings, facts } = judgeLog(given, log);
  const recorded = (seq: number): number => frames[seq - 1]?.seq ?? seq;
  return { findings: findings.map((finding) => ({ ...finding, frames: finding.frames.map(recorded) })), facts };
}
