// Sums up the findings about each tool, and prints the sum.
import { barVerdicts } from './bars.mjs';

/** A form hangs if building, mounting or filling the screen takes longer. */
const HANG_MS = 2000;

/** Sums up the findings of `measured` in measure.mjs. `more` are results that need no browser. */
export function summed({ results, policyViolations, reached, typing }, more) {
  const found = results.filter(({ found }) => found);
  const places = found.flatMap(({ found }) => found.places);
  const total = (pick) => found.reduce((sum, { found }) => sum + pick(found), 0);
  const named = (holds) => found.filter(({ found }) => holds(found)).map(({ file, name }) => `${file}: ${name}`);
  const boxed = found.filter(
    ({ found }) => found.counts.boxes.length > 0 || found.places.some(({ json, missing }) => json + missing > 0),
  );
  return {
    tools: results.length,
    toolsByFields: found.length - boxed.length,
    leaves: places.reduce((sum, { own, json, missing }) => sum + own + json + missing, 0),
    leavesMissing: places.reduce((sum, { missing }) => sum + missing, 0),
    examples: total(({ kept }) => kept.length),
    fields: kindsOf(found),
    jsonBoxes: boxed.map(({ file, name, found }) => ({ file, name, boxes: found.counts.boxes, places: found.places })),
    crashes: results.filter(({ crash }) => crash).map(({ file, name, crash }) => ({ file, name, crash })),
    hangs: named(
      ({ buildMs, mountMs, mountFullMs, inSightMs }) => Math.max(buildMs, mountMs, mountFullMs, inSightMs) > HANG_MS,
    ),
    touched: named(({ untouched }) => untouched !== '{}'),
    changed: named(({ kept }) => kept.includes(false)),
    unrestored: named(({ restored }) => restored.includes(false)),
    unlabelled: named(({ unlabelled }) => unlabelled > 0),
    ...more,
    axe: found
      .filter(({ found }) => found.axe.length > 0)
      .map(({ file, name, found }) => `${file}: ${name}: ${found.axe.join('; ')}`),
    findings: total(({ findings }) => findings),
    landed: total(({ landed }) => landed),
    strays: total(({ strays }) => strays),
    nulls: total(({ nulls }) => nulls.allowed),
    nullsMissing: found.flatMap(({ file, name, found }) =>
      found.nulls.missing.map((path) => `${file}: ${name}: ${path}`),
    ),
    lost: named(({ landed, findings }) => landed < findings),
    strayed: named(({ strays }) => strays > 0),
    unchecked: found
      .filter(({ found }) => found.unchecked)
      .map(({ file, name, found }) => `${file}: ${name}: ${found.unchecked}`),
    policyViolations,
    reached,
    typing: spread(typing),
    ms: {
      build: spread(found.map(({ found }) => found.buildMs)),
      mountEmpty: spread(found.map(({ found }) => found.mountMs)),
      mountFull: spread(found.map(({ found }) => found.mountFullMs)),
      inSight: spread(found.map(({ found }) => found.inSightMs)),
    },
    slowest: [...found]
      .sort((a, b) => b.found.mountFullMs - a.found.mountFullMs)
      .slice(0, 5)
      .map(({ file, name, found }) => ({ file, name, mountMs: found.mountMs, mountFullMs: found.mountFullMs })),
  };
}

function kindsOf(found) {
  const kinds = {};
  for (const {
    found: { counts },
  } of found) {
    for (const [kind, count] of Object.entries(counts.kinds)) kinds[kind] = (kinds[kind] ?? 0) + count;
  }
  return kinds;
}

function spread(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = (share) =>
    Number((sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1));
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}

/** Formats a report: each bar with its verdict, then the tools that need attention. */
export function written(report) {
  const times = ({ p50, p95, p99, max }) => `p50 ${p50}  p95 ${p95}  p99 ${p99}  max ${max} ms`;
  const lines = [
    `${report.tools} tools`,
    '',
    ...barVerdicts(report).map(
      ({ what, bar, measured, verdict }) => `${verdict.padEnd(8)}${what.padEnd(60)}${measured.padEnd(30)}${bar}`,
    ),
    '',
    `build        ${times(report.ms.build)}`,
    `mount, empty ${times(report.ms.mountEmpty)}`,
    `mount, full  ${times(report.ms.mountFull)}`,
    `in sight     ${times(report.ms.inSight)}`,
    `key to paint ${times(report.typing)}`,
    `fields       ${Object.entries(report.fields)
      .sort((a, b) => b[1] - a[1])
      .map(([kind, count]) => `${kind} ${count}`)
      .join(', ')}`,
    ...report.crashes.map(({ file, name, crash }) => `crash  ${file}: ${name}: ${crash}`),
    ...report.jsonBoxes.flatMap(({ file, name, boxes, places }) => [
      `JSON   ${file}: ${name}${boxes.length === 0 ? ` ${JSON.stringify(places)}` : ''}`,
      ...boxes.slice(0, 5).map(({ path, because }) => `         ${path || '(root)'}: ${because}`),
    ]),
    ...(report.verdicts?.differences ?? []).slice(0, 20).map((each) => `differs  ${each}`),
    ...Object.entries(LISTS).flatMap(([word, key]) => report[key].slice(0, 20).map((each) => `${word}  ${each}`)),
    ...report.slowest.map(
      ({ file, name, mountMs, mountFullMs }) =>
        `slow   ${file}: ${name}: ${mountMs.toFixed(0)} ms empty, ${mountFullMs.toFixed(0)} ms full`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

const LISTS = {
  hangs: 'hangs',
  reached: 'reached',
  lost: 'lost',
  strays: 'strayed',
  'no null': 'nullsMissing',
  unchecked: 'unchecked',
  touched: 'touched',
  changed: 'changed',
  'not restored': 'unrestored',
  unnamed: 'unlabelled',
  axe: 'axe',
};
