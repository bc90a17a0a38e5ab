import type { Log } from '@/lib/store/log';
import { type AttemptFacts, attemptFactsOf } from './attempt-facts';
import { EVIDENCE, type Evidence } from './evidence';
import { type Action, type Finding, type Remedy, STEPS, type StepId } from './finding';
import { elsewhere } from './neighbour';
import { REMEDIES } from './remedies/registry';

/** `unused`: the way to this server doesn't have that step. `unknown`: a page's own requests don't tell. */
export type StepState = 'ok' | 'failed' | 'not reached' | 'unused' | 'unknown';

export interface Step {
  readonly id: StepId;
  readonly title: string;
  readonly state: StepState;
  /** Milliseconds. */
  readonly ms?: number;
  readonly evidence: readonly Evidence[];
}

/** Why a connection to a URL failed: how far it came, what is wrong, and what to do. */
export interface Diagnosis {
  /** Of the remedy: stable. */
  readonly code: string;
  /** One sentence each. */
  readonly what: string;
  readonly advice: string;
  /** The frame that shows it best. */
  readonly seq: number;
  readonly actions: readonly Action[];
  readonly steps: readonly Step[];
}

/** Reads it from the log, live or recorded; undefined if that is not of a failed connection to a URL. Pure. */
export function diagnose(log: Log): Diagnosis | undefined {
  const facts = attemptFactsOf(log);
  if (!facts) return undefined;
  const { remedy, finding } = findRemedy(facts);
  const { what, advice, seq, actions = [] } = { ...finding, ...(remedy.elsewhere && lookElsewhere(facts, finding)) };
  return {
    code: remedy.code,
    what,
    advice,
    seq: seq ?? facts.socket?.seq ?? facts.failureSeq,
    actions,
    steps: stepsOf(facts, remedy.step),
  };
}

function findRemedy(facts: AttemptFacts): { readonly remedy: Remedy; readonly finding: Finding } {
  for (const remedy of REMEDIES) {
    const finding = remedy.find(facts);
    if (finding) return { remedy, finding };
  }
  throw new RangeError('The last remedy finds everything.');
}

function lookElsewhere(facts: AttemptFacts, { actions = [] }: Finding): Partial<Finding> {
  return elsewhere(facts) ?? (facts.url ? { actions: [...actions, { kind: 'look-further', where: 'paths' }] } : {});
}

function stepsOf(facts: AttemptFacts, failed: StepId): readonly Step[] {
  const at = STEPS.findIndex(({ id }) => id === failed);
  return STEPS.map(({ id, title }, index) => {
    const blind = facts.socket === undefined && facts.status === undefined;
    const plain = id === 'tls' && facts.url?.protocol === 'http:';
    const state = index === at ? 'failed' : plain ? 'unused' : index > at ? 'not reached' : blind ? 'unknown' : 'ok';
    if (state !== 'ok' && state !== 'failed') return { id, title, state, evidence: [] };
    const { ms, lines } = EVIDENCE[id](facts);
    return { id, title, state, ...(ms !== undefined && { ms }), evidence: lines };
  });
}
