import type { Log } from '@/lib/store/log';
import type { Failure } from '@/lib/wire/lifecycle';
import { acceptedSessionLine, addAcceptedSession } from './accepted-session';
import { type AttemptFacts, attemptFactsOf } from './attempt-facts';
import { diagnoseProcess } from './diagnose-process';
import type { Diagnosis, Step } from './diagnosis';
import { EVIDENCE } from './evidence';
import { type DoctorFinding, type Remedy, STEPS, type StepId } from './finding';
import { lookElsewhere } from './look-elsewhere';
import { addRedirect, isRedirected } from './remedies/redirects';
import { REMEDIES } from './remedies/registry';

/**
 * Diagnoses a live or recorded log of a connection that failed, whatever its transport. `ended` is the failure of a
 * request that is not in the log. Returns undefined if nothing failed. Pure.
 */
export function diagnose(log: Log, ended?: Failure): Diagnosis | undefined {
  const facts = attemptFactsOf(log, ended);
  if (!facts) return diagnoseProcess(log, ended);
  const { remedy, finding: found } = findRemedy(facts);
  const isPlaceWrong = remedy.elsewhere === true || WAY_STEPS.has(remedy.step);
  const tellsRedirect = isRedirected(facts) && !remedy.code.startsWith('redirected');
  const finding = tellsRedirect ? addRedirect(facts, found, isPlaceWrong) : found;
  const isElsewhere = remedy.elsewhere && !facts.opened;
  const {
    what,
    advice,
    seq,
    actions = [],
  } = {
    ...finding,
    ...(isElsewhere ? lookElsewhere(facts, finding) : addAcceptedSession(remedy.code, facts, finding)),
  };
  const steps = stepsOf(facts, remedy.step);
  return {
    code: remedy.code,
    what,
    advice,
    seq: seq ?? facts.socket?.seq ?? facts.failureSeq,
    evidence: steps.find(({ state }) => state === 'failed')?.evidence ?? [],
    actions: facts.opened ? [] : actions,
    steps,
  };
}

/** Returns the steps of a connection to a URL that works, each with its facts; none for a process. Pure. */
export function passedSteps(log: Log): readonly Step[] {
  const facts = attemptFactsOf(log, NOTHING_FAILED);
  return facts ? stepsOf(facts, undefined) : [];
}

/** Steps before a server can answer. */
const WAY_STEPS: ReadonlySet<StepId> = new Set(['dns', 'tcp', 'tls']);

const NOTHING_FAILED: Failure = { code: '', message: '', advice: '' };

function findRemedy(facts: AttemptFacts): { readonly remedy: Remedy; readonly finding: DoctorFinding } {
  for (const remedy of REMEDIES) {
    const finding = remedy.find(facts);
    if (finding) return { remedy, finding };
  }
  throw new RangeError('The last remedy matches every failure.');
}

/** `failed`: the step that failed; undefined if none did. */
function stepsOf(facts: AttemptFacts, failed: StepId | undefined): readonly Step[] {
  const isProxied = facts.socket?.httpProxy !== undefined;
  const steps = STEPS.filter(({ id }) => id !== 'proxy' || isProxied || failed === 'proxy');
  const at = failed === undefined ? steps.length : steps.findIndex(({ id }) => id === failed);
  return steps.map(({ id, title }, index) => {
    const isInLog = facts.socket !== undefined || facts.status !== undefined;
    const isUnused = (id === 'tls' && facts.url?.protocol === 'http:') || (id === 'tcp' && isProxied);
    const isSkipped = id === 'dns' && !isProxied && facts.socket?.addresses.length === 0;
    // The failure is that of a later request.
    if (id === 'mcp' && index !== at && facts.version !== undefined) {
      return { id, title, state: 'ok', evidence: [{ text: facts.version }] };
    }
    const passed = isInLog && !isSkipped ? 'ok' : 'unknown';
    const state = index === at ? 'failed' : isUnused ? 'unused' : index > at ? 'not reached' : passed;
    if (state !== 'ok' && state !== 'failed') return { id, title, state, evidence: [] };
    const { ms, lines } = EVIDENCE[id](facts);
    const evidence = state === 'failed' ? [...lines, ...acceptedSessionLine(facts)] : lines;
    return { id, title, state, ...(ms !== undefined && { ms }), evidence };
  });
}
