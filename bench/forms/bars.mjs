// What the form has to reach over real tools.

/** Each bar: what is measured, and the sentence when it is missed. Times are those of a shared two-core machine. */
const BARS = [
  [({ crashes }) => crashes.length === 0, 'no tool may crash the form'],
  [({ leavesMissing }) => leavesMissing === 0, 'every leaf has to be editable'],
  [({ tools, toolsByFields }) => toolsByFields >= 0.98 * tools, '98 % of tools have to be wholly fields'],
  [({ touched }) => touched.length === 0, 'an untouched form has to send {}'],
  [({ changed }) => changed.length === 0, 'an example has to keep its text'],
  [({ unlabelled }) => unlabelled.length === 0, 'every control needs a name'],
  [({ findings, findingsAtTheirField }) => findings === findingsAtTheirField, 'every error has to land on a field'],
  [({ policyViolations }) => policyViolations.length === 0, 'the content security policy has to hold'],
  [({ hangs }) => hangs.length === 0, 'no form may take longer than two seconds'],
  [({ ms }) => ms.mountEmpty.p99 <= 50, 'an empty form has to mount in 50 ms (p99)'],
  [({ ms }) => ms.mountFull.p99 <= 150, 'a full form has to mount in 150 ms (p99)'],
  [({ ms }) => ms.mountFull.max <= 1000, 'the largest form has to mount in a second'],
  [
    ({ typing }) => typing.p50 <= 20 && typing.p95 <= 50,
    'a key in 2,000 fields has to be painted in 20 ms (p50), 50 ms (p95)',
  ],
];

/** Bars that a busy machine may miss. */
const TIMED = 5;

/** The sentences of the bars that a report misses. `timed: false` leaves out those that depend on the machine. */
export function missedBars(report, { timed = true } = {}) {
  return BARS.slice(0, timed ? BARS.length : -TIMED)
    .filter(([holds]) => !holds(report))
    .map(([, sentence]) => sentence);
}
