// Targets for the form over real tools: the rows of the table that the report prints.

/**
 * @typedef {object} Bar
 * @property {string} what
 * @property {string} bar
 * @property {(report: any) => string} measured
 * @property {(report: any) => boolean} holds
 * @property {boolean} [timed] Depends on the machine, so a busy one may miss it.
 * @property {(report: any) => boolean} [skipped] True if it was not measured in this run.
 */

const percent = (part, whole) => `${whole === 0 ? 100 : ((100 * part) / whole).toFixed(part === whole ? 0 : 2)} %`;
const share = (part, whole) => `${percent(part, whole)} (${part} of ${whole})`;
const times = (...values) => `${values.join(' / ')} ms`;

/** @type {readonly Bar[]} */
const BARS = [
  {
    what: 'crashes, uncaught errors, forms slower than 2 s',
    bar: '0',
    measured: ({ crashes, hangs }) => `${crashes.length} + ${hangs.length}`,
    holds: ({ crashes, hangs }) => crashes.length + hangs.length === 0,
  },
  {
    what: 'values of examples that can be edited',
    bar: '100 %',
    measured: ({ leaves, leavesMissing }) => share(leaves - leavesMissing, leaves),
    holds: ({ leavesMissing }) => leavesMissing === 0,
  },
  {
    what: 'tools drawn with fields only, without a JSON box',
    bar: '≥ 98 %',
    measured: ({ tools, toolsByFields }) => share(toolsByFields, tools),
    holds: ({ tools, toolsByFields }) => toolsByFields >= 0.98 * tools,
  },
  {
    what: 'untouched forms that send {}',
    bar: '100 %',
    measured: ({ tools, crashes, touched }) => share(tools - crashes.length - touched.length, tools),
    holds: ({ touched }) => touched.length === 0,
  },
  {
    what: 'examples unchanged by showing them, two per tool',
    bar: '100 %',
    measured: ({ examples, changed }) => share(examples - changed.length, examples),
    holds: ({ changed }) => changed.length === 0,
  },
  {
    what: 'examples unchanged after edits that are undone',
    bar: '100 %',
    measured: ({ examples, unrestored }) => share(examples - unrestored.length, examples),
    holds: ({ unrestored }) => unrestored.length === 0,
  },
  {
    what: 'mount: empty (p99), full (p99), largest',
    bar: '50 / 150 / 300 ms',
    timed: true,
    measured: ({ ms }) => times(ms.mountEmpty.p99, ms.mountFull.p99, ms.mountFull.max),
    holds: ({ ms }) => ms.mountEmpty.p99 <= 50 && ms.mountFull.p99 <= 150 && ms.mountFull.max <= 300,
  },
  {
    what: 'after the mount, until everything in view is drawn (p99)',
    bar: '50 ms',
    timed: true,
    measured: ({ ms }) => times(ms.inSight.p99),
    holds: ({ ms }) => ms.inSight.p99 <= 50,
  },
  {
    what: 'key to paint with 2,000 fields drawn (p50, p95)',
    bar: '20 / 50 ms',
    timed: true,
    measured: ({ typing }) => times(typing.p50, typing.p95),
    holds: ({ typing }) => typing.p50 <= 20 && typing.p95 <= 50,
  },
  {
    what: 'violations of the content security policy',
    bar: '0',
    measured: ({ policyViolations }) => String(policyViolations.length),
    holds: ({ policyViolations }) => policyViolations.length === 0,
  },
  {
    what: 'prototypes, other hosts and dialogs that schemas reached',
    bar: '0',
    measured: ({ reached }) => String(reached.length),
    holds: ({ reached }) => reached.length === 0,
  },
  {
    what: 'controls without a name',
    bar: '0',
    measured: ({ unlabelled }) => `in ${unlabelled.length} tools`,
    holds: ({ unlabelled }) => unlabelled.length === 0,
  },
  {
    what: 'axe, serious and critical',
    bar: '0',
    skipped: ({ axeRan }) => !axeRan,
    measured: ({ axe }) => `in ${axe.length} tools`,
    holds: ({ axe }) => axe.length === 0,
  },
  {
    what: 'form and validator, gzipped, without shared code',
    bar: '25 KB',
    skipped: ({ weight }) => weight === undefined,
    measured: ({ weight }) => `${(weight / 1024).toFixed(1)} KB`,
    holds: ({ weight }) => weight <= 25 * 1024,
  },
  {
    what: 'verdicts on valid and invalid values that match ajv',
    bar: '≥ 99.9 %',
    skipped: ({ verdicts }) => verdicts === undefined,
    measured: ({ verdicts: { agreed, pairs } }) => share(agreed, pairs),
    holds: ({ verdicts: { agreed, pairs } }) => agreed >= 0.999 * pairs,
  },
  {
    what: 'values that may be null whose field offers it',
    bar: '100 %',
    measured: ({ nulls, nullsMissing }) => share(nulls - nullsMissing.length, nulls),
    holds: ({ nullsMissing }) => nullsMissing.length === 0,
  },
  {
    what: 'errors shown at their own field',
    bar: '100 %',
    measured: ({ findings, landed }) => share(landed, findings),
    holds: ({ findings, landed }) => findings === landed,
  },
  {
    what: 'errors that belong to the shown branch or to no union',
    bar: '100 %',
    measured: ({ findings, strays }) => share(findings - strays, findings),
    holds: ({ strays }) => strays === 0,
  },
];

/** Returns each bar with its measured value and verdict: `ok`, `MISSED` or `not run`. */
export function barVerdicts(report) {
  return BARS.map(({ what, bar, timed = false, measured, holds, skipped }) => {
    const verdict = skipped?.(report) ? 'not run' : holds(report) ? 'ok' : 'MISSED';
    return { what, bar, timed, measured: verdict === 'not run' ? '–' : measured(report), verdict };
  });
}

/** Describes each bar that a report misses. `timed: false` leaves out bars that depend on the machine. */
export function missedBars(report, { timed = true } = {}) {
  return barVerdicts(report)
    .filter((row) => row.verdict === 'MISSED' && (timed || !row.timed))
    .map(({ what, bar, measured }) => `${what}: ${measured}, expected ${bar}`);
}
