import type { Diagnosis, StepState } from './diagnose';

const MARKS: Readonly<Record<StepState, string>> = {
  ok: 'ok',
  failed: 'FAILED',
  'not reached': '-',
  unused: 'unused',
  unknown: '?',
};

/** A diagnosis as plain text, for a terminal or a bug report. `url` is the server's, as shown. */
export function diagnosisText(diagnosis: Omit<Diagnosis, 'seq'>, url: string): string {
  const { steps, code, what, advice } = diagnosis;
  const lines = steps.flatMap(({ title, state, ms, evidence }) => {
    const head = `${MARKS[state].padEnd(7)} ${title.padEnd(14)}${ms === undefined ? '' : ` ${ms} ms`}`.trimEnd();
    return [head, ...evidence.map(({ text, seq }) => `          ${text}${seq === undefined ? '' : `  (#${seq})`}`)];
  });
  return [`Connection doctor: ${url}`, '', ...lines, '', what, advice, `(${code})`].join('\n');
}
