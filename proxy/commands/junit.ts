import { resolve } from 'node:path';
import { usageError } from '@/proxy/cli/exit-code';
import type { GivenOptions } from '@/proxy/cli/grammar';
import { writeReport } from '@/proxy/files/private-files';

/** A test case of JUnit XML, with its failures or why it was skipped. */
export interface TestCase {
  readonly className: string;
  readonly name: string;
  readonly failures: readonly string[];
  readonly skipped?: string;
  /** How long it took, in milliseconds. */
  readonly ms?: number;
}

/** Test cases that belong together. */
export interface Suite {
  readonly name: string;
  readonly cases: readonly TestCase[];
}

/** Formats test cases as JUnit XML. */
export function junitXml(suites: readonly Suite[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="mcp-inspect" ${countsOf(suites.flatMap(({ cases }) => cases))}>`,
    ...suites.flatMap(({ name, cases }) => [
      `  <testsuite name="${escaped(name)}" ${countsOf(cases)}>`,
      ...cases.map(caseXml),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function countsOf(cases: readonly TestCase[]): string {
  const failures = cases.filter((one) => one.failures.length > 0).length;
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  return `tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
}

function caseXml({ className, name, failures, skipped, ms }: TestCase): string {
  const start = `    <testcase classname="${escaped(className)}" name="${escaped(name)}"${ms === undefined ? '' : ` time="${(ms / 1000).toFixed(3)}"`}`;
  if (skipped !== undefined) return `${start}><skipped message="${escaped(skipped)}"/></testcase>`;
  const [first] = failures;
  if (first === undefined) return `${start}/>`;
  return `${start}><failure message="${escaped(first)}">${escaped(failures.join('\n'))}</failure></testcase>`;
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

/** Writes JUnit XML to the files of `--junit`. Throws an ExitError for a path that can’t be written. */
export async function writeSuites(given: GivenOptions, suites: () => readonly Suite[]): Promise<void> {
  for (const path of given.get('junit') ?? []) {
    await writeReport(resolve(path), junitXml(suites())).catch((error: NodeJS.ErrnoException) => {
      throw usageError(`The file \`${path}\` can’t be written (${error.code}): check the path after \`--junit\`.`);
    });
  }
}
