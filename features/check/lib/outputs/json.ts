import { quietJson } from '@/lib/ci/server-text';
import { type CheckReport, countSeverities, durationOf, findingsOf, hasFailed, recordingsOf } from '../report';

/** Formats a report as one line of JSON. A later run can take it as its baseline. */
export function jsonReport(report: CheckReport): string {
  return quietJson(reportJson(report));
}

/** Returns what the JSON of a report holds. */
export function reportJson(report: CheckReport) {
  const placed = findingsOf(report);
  const { error, warning, info } = countSeverities(placed.map(({ finding }) => finding));
  return {
    summary: {
      passed: !hasFailed(report),
      failOn: report.failOn,
      errors: error,
      warnings: warning,
      infos: info,
      accepted: report.accepted,
      ...(report.baseline && { baseline: report.baseline }),
      ...(report.off !== undefined && { off: report.off }),
      sources: report.sources.map((source) => ({
        name: source.name,
        ...(source.file !== undefined && { file: source.file }),
        ...(source.entry !== undefined && { entry: source.entry }),
        ...source.facts,
        ms: Math.round(durationOf(source)),
        steps: source.steps.map(({ name, ms, skipped }) => ({
          name,
          ms: Math.round(ms),
          ...(skipped !== undefined && { skipped }),
        })),
        notes: source.notes,
        ...(recordingsOf(source).length > 0 && { recordings: recordingsOf(source) }),
        // Places in the list of problems. Frames are numbered by source.
        problems: placed.flatMap((each, at) => (each.source === source ? [at] : [])),
      })),
    },
    problems: placed.map(
      ({ step: { recording }, finding: { rule, severity, message, path, frames, advice, spec, hosts, known } }) => ({
        rule,
        severity,
        message,
        path: path ?? null,
        frames,
        advice,
        spec: spec ?? null,
        ...(hosts && { hosts }),
        ...known,
        ...(recording !== undefined && frames.length > 0 && { recording }),
      }),
    ),
  };
}
