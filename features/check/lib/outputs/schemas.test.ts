import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import OASIS from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json';
import Ajv from 'ajv';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { ERROR, FINDING, HOSTILE, hostileReport, reportOf } from '../test-reports';
import { junitReport } from './junit';
import { sarifReport } from './sarif';

const XSD = readFileSync(join(import.meta.dirname, 'fixtures/junit.xsd'), 'utf8');
/** The schema of OASIS. It is of draft-04, but has no keyword that changed later, except `id`. */
const { $schema: _, id: __, ...SARIF } = OASIS;

const isReference = (text: string): boolean => /^[!-~]*$/.test(text) && URL.canParse(text, 'http://a/');
const FORMATS = {
  uri: (text: string) => isReference(text) && URL.canParse(text),
  'uri-reference': isReference,
  'date-time': true,
} as const;

const skipped = { name: 'ping', ms: 0, findings: [], skipped: 'No ping.' };
const [source] = reportOf([ERROR, FINDING]).sources;
const REPORTS = {
  'of nothing': reportOf([]),
  'of problems and skipped steps': reportOf([], { sources: [{ ...source!, steps: [...source!.steps, skipped] }] }),
  'of a recording': reportOf([], { sources: [{ ...source!, file: 'a/b c.mcpr.jsonl' }] }),
  'without sources': reportOf([], { sources: [] }),
  ...Object.fromEntries(HOSTILE.map((text) => [`of ${JSON.stringify(text)}`, hostileReport(text)])),
};

async function xsdErrors(xml: string) {
  const { errors } = await validateXML({ xml: [{ fileName: 'report.xml', contents: xml }], schema: [XSD] });
  return errors.map(({ message }) => message);
}

describe.each(Object.entries(REPORTS))('a report %s', (_, report) => {
  test('is JUnit XML by its XSD', async () => {
    expect(await xsdErrors(junitReport(report))).toEqual([]);
  });

  test('is SARIF by its schema', () => {
    const ajv = new Ajv({ strict: false, allErrors: true, formats: FORMATS, unicodeRegExp: false });
    const accepts = ajv.compile(SARIF);
    accepts(JSON.parse(sarifReport(report)));
    expect(accepts.errors ?? []).toEqual([]);
  });
});

test('the XSD refuses what JUnit XML does not have', async () => {
  const xml = junitReport(REPORTS['of problems and skipped steps']);
  expect(await xsdErrors(xml.replace('<skipped', '<ignored'))).not.toEqual([]);
  expect(await xsdErrors(xml.replace(/time="[\d.]+"/, 'time="soon"'))).not.toEqual([]);
});

test('the schema refuses what SARIF does not have', () => {
  const accepts = new Ajv({ strict: false, formats: FORMATS, unicodeRegExp: false }).compile(SARIF);
  expect(accepts({ version: '2.1.0', runs: [{ results: [] }] })).toBe(false);
  expect(accepts({ version: '2.2.0', runs: [] })).toBe(false);
});
