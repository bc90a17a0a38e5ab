// What the form has to reach over real tools: the rows of the table that the report prints.

/**
 * @typedef {object} Bar
 * @property {string} what
 * @property {string} bar
 * @property {(report: any) => string} measured
 * @property {(report: any) => boolean} holds
 * @property {boolean} [timed] depends on the machine: one that is busy may miss it
 * @property {(report: any) => boolean} [skipped] not measured in this run
 */

const percent = (part, whole) => `${whole === 0 ? 100 : ((100 * part) / whole).toFixed(part === whole ? 0 : 2)} %`;
const share = (part, whole) => `${percent(part, whole)} (${part} of ${whole})`;
const times = (...values) => `${values.join(' / ')} ms`;

/** @type {readonly Bar[]} */
const BARS = [
  {
    what: 'crashes, uncaught errors, forms that take over 2 s',
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
    what: 'tools that are fields wholly, without a JSON box',
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
    what: 'examples that come out as they went in, two a tool',
    bar: '100 %',
    measured: ({ examples, changed }) => share(examples - changed.length, examples),
    holds: ({ changed }) => changed.length === 0,
  },
  {
    what: 'examples with the same text after edits and their undoing',
    bar: '100 %',
    measured: ({ examples, unrestored }) => share(examples - unrestored.length, examples),
    holds: ({ unrestored }) => unrestored.length === 0,
  },
  {
    what: 'mount, empty and full (p99), largest',
    bar: '50 / 150 / 300 ms',
    timed: true,
    measured: ({ ms }) => times(ms.mountEmpty.p99, ms.mountFull.p99, ms.mountFull.max),
    holds: ({ ms }) => ms.mountEmpty.p99 <= 50 && ms.mountFull.p99 <= 150 && ms.mountFull.max <= 300,
  },
  {
    what: 'after the mount, until all in sight is drawn (p99)',
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
    what: 'renderer and validator, gzip, without what all panels use',
    bar: '26 KB',
    measured: ({ weight }) => `${(weight / 1024).toFixed(1)} KB`,
    holds: ({ weight }) => weight <= 26 * 1024,
  },
  {
    what: 'verdicts on right and wrong values that are those of ajv',
    bar: '≥ 99.9 %',
    skipped: ({ verdicts }) => verdicts === undefined,
    measured: ({ verdicts: { agreed, pairs } }) => share(agreed, pairs),
    holds: ({ verdicts: { agreed, pairs } }) => agreed >= 0.999 * pairs,
  },
  {
    what: 'errors shown at a field of their own',
    bar: '100 %',
    measured: ({ findings, landed }) => share(landed, findings),
    holds: ({ findings, landed }) => findings === landed,
  },
  {
    what: 'errors of the branch that is shown, or of no union',
    bar: '100 %',
    measured: ({ findings, strays }) => share(findings - strays, findings),
    holds: ({ strays }) => strays === 0,
  },
];

/** The bars with what a report reached of each: `ok`, `MISSED`, or `not run`. */
export function heldAgainst(report) {
  return BARS.map(({ what, bar, timed = false, measured, holds, skipped }) => {
    const verdict = skipped?.(report) ? 'not run' : holds(report) ? 'ok' : 'MISSED';
    return { what, bar, timed, measured: verdict === 'not run' ? '–' : measured(report), verdict };
  });
}

/** The bars that a report misses, in words. `timed: false` leaves out those that depend on the machine. */
export function missedBars(report, { timed = true } = {}) {
  return heldAgainst(report)
    .filter((row) => row.verdict === 'MISSED' && (timed || !row.timed))
    .map(({ what, bar, measured }) => `${what}: ${measured}, should be ${bar}`);
}
