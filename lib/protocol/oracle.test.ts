import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { isObject } from '@/lib/json/value';
import { PROTOCOL_VERSIONS, type ProtocolVersion } from '@/lib/wire/lifecycle';
import { checkError, checkParams, checkResult, checksOf } from './check-message';
import { type Fault, FaultWalk, isViolation } from './checks';
import { METHODS } from './methods';
import { isInVersion } from './rows';
import { mutations } from './test-mutations';
import { samples } from './test-samples';

/** The official schemas, which are not part of this project. Without them, these tests are skipped. */
const SPEC = path.resolve(import.meta.dirname, '../../../shared/spec');
const here = existsSync(SPEC);

type Verdict = (value: any) => boolean;

interface Case {
  readonly name: string;
  /** The verdict of the official schema on a value, and of our table. */
  readonly official: Verdict;
  readonly ours: Verdict;
  readonly schema: any;
  readonly defs: any;
}

function load(version: ProtocolVersion) {
  const schema = JSON.parse(readFileSync(path.join(SPEC, version, 'schema.json'), 'utf8'));
  const modern = schema.$defs !== undefined;
  const ajv = new (modern ? Ajv2020 : (Ajv as any))({ strict: false, validateFormats: false });
  ajv.addSchema(schema, 'spec');
  const at = modern ? '$defs' : 'definitions';
  const validator = (name: string): Verdict => ajv.getSchema(`spec#/${at}/${name}`);
  return { defs: schema[at], validator };
}

const noFaults = (faults: readonly Fault[]) => !faults.some(isViolation);

/** Every request, notification, result and error of a version, as the official schema names them. */
function casesOf(version: ProtocolVersion): Case[] {
  const { defs, validator } = load(version);
  const cases: Case[] = [];
  // The table checks only objects, because only they are messages.
  const add = (name: string, ours: Verdict) =>
    cases.push({
      name,
      schema: defs[name],
      defs,
      official: validator(name),
      ours: (value) => isObject(value) && ours(value),
    });
  for (const [name, def] of Object.entries<any>(defs)) {
    const method = def.properties?.method?.const;
    if (method === undefined || /^(Client|Server)(Request|Notification)$/.test(name)) continue;
    const row = METHODS.get(method);
    // Requests that are embedded in a result (modern era) are checked as part of it.
    const known = [row?.toServer, row?.toClient].some((span) => span !== undefined && isInVersion(span, version));
    if (!known) continue;
    add(
      name,
      (value) => noFaults(checkParams(version, method, value)) && value.method === method && envelope(def, value),
    );
    const result = name.replace(/Request$/, 'Result');
    if (row?.kind === 'request') {
      const resultDef = defs[result] === undefined ? 'Result' : result;
      const official = resultDef === 'GetTaskPayloadResult' ? 'Result' : resultDef;
      add(official, typed(version, row.result ?? 'EmptyResult'));
    }
  }
  for (const [name, def] of Object.entries<any>(defs)) {
    const code = errorCode(def);
    if (code === undefined) continue;
    const whole = def.properties.error !== undefined;
    add(name, (value) => {
      const body = whole ? value : { error: value };
      return noFaults(checkError(version, body)) && body.error?.code === code && (!whole || envelope(def, value));
    });
  }
  if (defs.InputRequiredResult) add('InputRequiredResult', typed(version, 'InputRequiredResult'));
  if (defs.CreateTaskResult) add('CreateTaskResult', typed(version, 'CreateTaskResult'));
  for (const [official, name] of ANSWERS) if (defs[official]) add(official, typed(version, name));
  return cases;
}

/** Types that are not the result of any method of the modern era. Each is checked alone. */
const ANSWERS = [
  ['CreateMessageResult', 'CreateMessageResult'],
  ['ListRootsResult', 'ListRootsResult'],
  ['ElicitResult', 'ElicitResult'],
  ['InputRequests', '{InputRequest}'],
  ['InputResponses', '{InputResponse}'],
] as const;

const typed = (version: ProtocolVersion, type: string) => (value: unknown) => {
  const walk = new FaultWalk();
  return checksOf(version).of(type)(value, walk);
};

function errorCode(def: any): number | undefined {
  const error = def.properties?.error ?? def;
  const parts = error.allOf ?? [error];
  return parts.map((part: any) => part.properties?.code?.const).find((code: unknown) => code !== undefined);
}

/** Checks `jsonrpc` and `id`, which the official schema has in the same definition. Our table does not have them. */
function envelope(def: any, { jsonrpc, id }: any): boolean {
  const isId = typeof id === 'string' || Number.isInteger(id);
  if (def.properties.jsonrpc && jsonrpc !== '2.0') return false;
  return !def.properties.id || isId || (id === undefined && !def.required.includes('id'));
}

/**
 * Returns true for a fraction where the generated schemas require an integer by mistake: the text of the specification
 * says number.
 */
function isErratum(name: string, value: any): boolean {
  const contents = name === 'ElicitResult' ? [value?.content] : [];
  if (name === 'InputResponses') contents.push(...Object.values<any>(value ?? {}).map((answer) => answer?.content));
  if (/^(CallTool|GetPrompt|ReadResource)Request/.test(name)) {
    contents.push(...Object.values<any>(value?.params?.inputResponses ?? {}).map((answer) => answer?.content));
  }
  return contents.some((content) =>
    Object.values(content ?? {}).some((entry) => typeof entry === 'number' && !Number.isInteger(entry)),
  );
}

describe.skipIf(!here)('the official schemas', () => {
  test.each(PROTOCOL_VERSIONS)('%s and our table agree on every mutation', (version) => {
    const disagreements: string[] = [];
    let compared = 0;
    for (const { name, schema, defs, official, ours } of casesOf(version)) {
      for (const sample of samples(schema, defs)) {
        expect(official(sample), `${name} ${JSON.stringify(sample)}`).toBe(true);
        for (const { value, what } of [{ value: sample, what: 'as it is' }, ...mutations(sample)]) {
          compared++;
          const expected = official(value);
          if (ours(value) !== expected && !isErratum(name, value)) {
            disagreements.push(`${name} ${what}: official ${expected ? 'accepts' : 'refuses'}`);
          }
        }
      }
    }
    expect(disagreements.slice(0, 40)).toEqual([]);
    expect(compared).toBeGreaterThan(2000);
  });

  test('every official example is accepted', () => {
    const folder = path.join(SPEC, '2026-07-28', 'examples');
    const cases = new Map(casesOf('2026-07-28').map((each) => [each.name, each]));
    let checked = 0;
    for (const name of readdirSync(folder)) {
      for (const file of readdirSync(path.join(folder, name))) {
        const value = JSON.parse(readFileSync(path.join(folder, name, file), 'utf8'));
        const ours = cases.get(name)?.ours ?? exampleCheck(name);
        if (WITHOUT_CACHE_HINTS.has(file)) Object.assign(value.result, { ttlMs: 0, cacheScope: 'private' });
        expect(ours(value), `${name}/${file}`).toBe(true);
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(100);
  });
});

/**
 * Examples without `ttlMs` and `cacheScope`, which their result requires. The schema accepts them as an
 * `input_required` result, which requires only `resultType`. We report a warning, because they count as 0 and private.
 */
const WITHOUT_CACHE_HINTS = new Set(['read-resource-result-response.json']);

/** Our names for examples of message parts, where they differ. */
const PART_NAMES: Readonly<Record<string, string>> = {
  TextResourceContents: 'TextContents',
  BlobResourceContents: 'BlobContents',
  ElicitRequestFormParams: 'ElicitFormParams',
  ElicitRequestURLParams: 'ElicitUrlParams',
  ElicitRequest: 'ElicitInputRequest',
  CreateMessageRequest: 'SamplingInputRequest',
  ListRootsRequest: 'RootsInputRequest',
  UntitledSingleSelectEnumSchema: 'ChoiceSchema',
  LegacyTitledEnumSchema: 'ChoiceSchema',
  TitledSingleSelectEnumSchema: 'TitledChoiceSchema',
  UntitledMultiSelectEnumSchema: 'ManyChoiceSchema',
  TitledMultiSelectEnumSchema: 'TitledManyChoiceSchema',
  PaginatedRequestParams: 'PaginatedParams',
  SubscriptionsListenRequestParams: 'ListenParams',
  SubscriptionsAcknowledgedNotificationParams: 'AcknowledgedParams',
  LoggingMessageNotificationParams: 'LogParams',
  ResourceTemplateReference: 'ResourceReference',
};

function exampleCheck(name: string): Verdict {
  if (name.endsWith('ResultResponse')) {
    const request = [...casesOf('2026-07-28')].find((each) => each.name === name.replace(/ResultResponse$/, 'Request'));
    const method = request!.schema.properties.method.const;
    return (value) => noFaults(checkResult('2026-07-28', { method, params: {} }, value));
  }
  const type = PART_NAMES[name] ?? name.replace(/RequestParams$|NotificationParams$/, 'Params');
  return typed('2026-07-28', type);
}
