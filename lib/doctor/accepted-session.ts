import type { AttemptFacts } from './attempt-facts';
import type { DoctorFinding, Evidence } from './finding';

/** Statuses other than 404 with which servers refuse a session that they don't know. They may have other reasons. */
const MAY_REFUSE_SESSIONS: ReadonlySet<number> = new Set([400, 401, 403, 500]);

/** Causes that are not about one request of a session, or that name the session already. */
const OTHER_CAUSES: ReadonlySet<string> = new Set(['session-invalid', 'host-refused']);

/** Returns what the log shows about the session of a refused request, to be added to the finding. */
export function addAcceptedSession(code: string, facts: AttemptFacts, finding: DoctorFinding): Partial<DoctorFinding> {
  const { accepted, status } = facts;
  if (!accepted || status === undefined || !MAY_REFUSE_SESSIONS.has(status) || OTHER_CAUSES.has(code)) return {};
  const { method = 'a request' } = facts;
  const answered = finding.what.includes(`HTTP ${status}`) ? '' : ` It answered ${method} with HTTP ${status}.`;
  return {
    what: `${finding.what}${answered} It had accepted this session id before, last for ${accepted.method}.`,
    advice: `${finding.advice} If it no longer knows the session, make it answer 404: only then do clients begin a new one.`,
  };
}

/** The same as a line of evidence. */
export function acceptedSessionLine({ accepted }: AttemptFacts): readonly Evidence[] {
  return accepted ? [{ text: `session id last accepted for ${accepted.method}`, seq: accepted.seq }] : [];
}
