/** A test case of JUnit XML. Texts may be anything. */
export interface TestCase {
  readonly className: string;
  readonly name: string;
  /** Why it failed, one text each; none if it passed. */
  readonly failures: readonly string[];
  /** Type of the failure, and its message if that is not the first of `failures`. */
  readonly failure?: { readonly type: string; readonly message: string } | undefined;
  /** Why it did not run. */
  readonly skipped?: string | undefined;
  readonly output?: string | undefined;
  /** Milliseconds that it took. */
  readonly ms?: number;
}

/** Test cases that belong together. */
export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly TestCase[];
  /** When it began, ISO 8601. */
  readonly at?: string;
  /** Milliseconds that it took. */
  readonly ms?: number;
}

/** Formats suites as JUnit XML. `name`: of the whole. */
export function junitXml(suites: readonly JunitSuite[], name = 'mcp-inspect'): string {
  const times = suites.flatMap(({ ms }) => ms ?? []);
  const ms = times.length > 0 && times.length === suites.length ? times.reduce((sum, one) => sum + one, 0) : undefined;
  const all = countsOf(suites.flatMap(({ cases }) => cases));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    // The usual schema has no `skipped` here.
    `<testsuites name="${escaped(name)}" tests="${all.tests}" failures="${all.failures}" errors="0"${timeOf(ms)}>`,
    ...suites.flatMap(suiteLines),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteLines({ name, cases, at, ms }: JunitSuite): readonly string[] {
  const { tests, failures, skipped } = countsOf(cases);
  const began = at === undefined ? '' : ` timestamp="${at.slice(0, 19)}"`;
  const counts = `tests="${tests}" failures="${failures}" errors="0" skipped="${skipped}"`;
  return [
    `  <testsuite name="${escaped(name)}"${began} ${counts}${timeOf(ms)}>`,
    ...cases.map(caseXml),
    '  </testsuite>',
  ];
}

function countsOf(cases: readonly TestCase[]) {
  const failures = cases.filter((one) => one.failures.length > 0).length;
  const skipped = cases.filter((one) => one.failures.length === 0 && one.skipped !== undefined).length;
  return { tests: cases.length, failures, skipped };
}

function caseXml({ className, name, failures, failure, skipped, output, ms }: TestCase): string {
  const start = `    <testcase classname="${escaped(className)}" name="${escaped(name)}"${timeOf(ms)}`;
  const [first] = failures;
  const type = failure ? ` type="${escaped(failure.type)}"` : '';
  const inside =
    first !== undefined
      ? `<failure${type} message="${escaped(failure?.message ?? first)}">${escaped(failures.join('\n'))}</failure>`
      : skipped !== undefined
        ? `<skipped message="${escaped(skipped)}"/>`
        : '';
  const printed = output === undefined ? '' : `<system-out>${escaped(output)}</system-out>`;
  return inside + printed === '' ? `${start}/>` : `${start}>${inside}${printed}</testcase>`;
}

function timeOf(ms: number | undefined): string {
  return ms === undefined ? '' : ` time="${(ms / 1000).toFixed(3)}"`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\t': '&#9;',
  '\r': '&#13;',
};

/** Escapes text for XML 1.0. Characters that XML forbids become U+FFFD. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/(?![\n\t\r])[\p{Cc}\ufffe\uffff]/gu, '\uFFFD')
    .replace(/[&<>"'\n\t\r]/g, (character) => ENTITIES[character]!);
}
