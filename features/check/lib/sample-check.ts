import { formatPath } from '@/lib/json/outline-path';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { SchemaChecker } from '@/lib/schema/check';
import { makeSample } from '@/lib/schema/sample';
import type { SchemaFinding } from '@/lib/schema/schema-worker';
import { countOf } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import type { CheckFinding } from './report';
import { entryName, type Measure, type QualityContext, quotedName, toolTextPath } from './tool-text';

const NO_BRANCHES = new Map<string, string>();
/** Defaults that are checked per tool. */
const MOST_DEFAULTS = 100;

/** Checks that schemas of tools accept arguments made from them, and the defaults and examples that they name. */
export function* sampleFindings(
  tools: readonly JsonObject[],
  context: QualityContext,
): Generator<void, readonly CheckFinding[]> {
  const late = new Set<JsonObject>();
  const found: CheckFinding[] = [];
  for (const tool of tools) {
    const measure: Measure = (ms, work) => {
      const measured = context.measure(ms, work);
      if (measured === 'skipped') late.add(tool);
      return measured;
    };
    for (const finding of yield* sampleFindingsOf(tool, { ...context, measure })) found.push(finding);
    yield;
  }
  return late.size === 0 ? found : [...found, lateSchemas(late.size, context)];
}

function lateSchemas(many: number, { spec }: QualityContext): CheckFinding {
  return {
    rule: 'slow-schema',
    severity: 'warning',
    title: 'Schemas that were not checked',
    message: `${countOf(many, 'inputSchema')} not checked: the time for all schemas was over.`,
    path: 'tools',
    frames: [],
    advice: 'List fewer tools, and simplify the patterns of their schemas.',
    spec,
  };
}

function* sampleFindingsOf(tool: JsonObject, context: QualityContext): Generator<void, readonly CheckFinding[]> {
  const schema = own(tool, 'inputSchema');
  if (!isObject(schema)) return [];
  const text = JSON.stringify(schema);
  let isSlow = false;
  const measure: Measure = (ms, work) => {
    // One check that never ends is enough to know, and each takes its time.
    if (isSlow) return 'slow';
    const measured = context.measure(ms, work);
    isSlow = measured === 'slow';
    return measured;
  };
  const found = yield* contentFindings(tool, schema, text, { ...context, measure });
  return isSlow ? [slowSchema(tool, context), ...found] : found;
}

function slowSchema(tool: JsonObject, { spec }: QualityContext): CheckFinding {
  return {
    rule: 'slow-schema',
    severity: 'warning',
    title: 'inputSchema too slow to check',
    message: `${quotedName(entryName(tool))}: checking a value against the schema took more than ${LIMITS.schemaWorkMs} ms on the processor.`,
    path: toolTextPath(tool, 'inputSchema'),
    frames: [],
    advice: 'Simplify its patterns. Nested repetition such as (a+)+ can take for ever.',
    spec,
  };
}

function* contentFindings(
  tool: JsonObject,
  schema: JsonObject,
  text: string,
  context: QualityContext,
): Generator<void, readonly CheckFinding[]> {
  const defaults = yield* defaultFindings(tool, schema, context);
  // A sample takes the defaults and examples, so its fault would be the same.
  if (defaults.length > 0) return defaults;
  const fault = sampleFault(text, context);
  if (fault === undefined) return [];
  return [
    {
      rule: 'sample-rejected',
      severity: 'warning',
      title: 'Schema that rejects arguments made from it',
      message: `${quotedName(entryName(tool))}: arguments made from the schema do not match it: ${fault}.`,
      path: toolTextPath(tool, 'inputSchema'),
      frames: [],
      advice: 'Look for parts that contradict each other, such as a minimum above the maximum.',
      spec: context.spec,
    },
  ];
}

/** Returns the fault of every sample; undefined if one is accepted, or if none can be made or checked. */
function sampleFault(text: string, { measure }: QualityContext): string | undefined {
  let fault: string | undefined;
  const measured = measure(LIMITS.schemaWorkMs, () => {
    const checker = new SchemaChecker(text);
    for (const all of [false, true]) {
      let sample: string;
      try {
        sample = makeSample(text, all);
      } catch {
        fault = undefined;
        return;
      }
      const { findings, unchecked } = checker.check(sample, NO_BRANCHES);
      if (unchecked !== undefined || findings.length === 0 || findings.some(isOfGenerator)) {
        fault = undefined;
        return;
      }
      fault = faultText(findings[0]!);
    }
  });
  return measured === 'done' ? fault : undefined;
}

/** True for a fault that may be the generator’s: it knows few formats and patterns, and not every name. */
function isOfGenerator({ path, text }: SchemaFinding): boolean {
  return /^(?:is not a valid|must match )/.test(text) || path.includes('__proto__');
}

function faultText({ path, text }: SchemaFinding): string {
  return `${path.length === 0 ? 'it' : formatPath(path)} ${text}`;
}

/** Finds defaults and examples of arguments that their own schema rejects. */
function* defaultFindings(
  tool: JsonObject,
  schema: JsonObject,
  { spec, measure }: QualityContext,
): Generator<void, readonly CheckFinding[]> {
  const properties = own(schema, 'properties');
  if (!isObject(properties)) return [];
  const found: CheckFinding[] = [];
  for (const [name, property] of Object.entries(properties).slice(0, MOST_DEFAULTS)) {
    if (!isObject(property)) continue;
    for (const [keyword, value] of namedValues(property)) {
      let fault: string | undefined;
      const measured = measure(LIMITS.schemaWorkMs, () => {
        fault = valueFault(property, value, schema);
      });
      yield;
      if (fault === undefined || measured !== 'done') continue;
      found.push({
        rule: 'schema-value',
        severity: 'info',
        title: 'Default or example that its schema rejects',
        message: `${quotedName(entryName(tool))}: the ${keyword} of ${quotedName(name)} does not match its schema: ${fault}.`,
        path: toolTextPath(tool, 'inputSchema', 'properties', name, keyword),
        frames: [],
        advice: 'Change the value or the schema. Forms and models start from such values.',
        spec,
      });
    }
  }
  return found;
}

function namedValues(property: JsonObject): readonly (readonly [keyword: string, value: unknown])[] {
  const examples = own(property, 'examples');
  return [
    // Many generators write null for "no default".
    ...(Object.hasOwn(property, 'default') && property.default !== null
      ? [['default', property.default] as const]
      : []),
    ...(Array.isArray(examples) ? examples.slice(0, 5).map((value) => ['examples', value] as const) : []),
  ];
}

/** Returns the fault of a value against a property, whose references lead into the whole schema. */
function valueFault(property: JsonObject, value: unknown, root: JsonObject): string | undefined {
  const alone = { ...root, properties: { value: property }, required: [], additionalProperties: true };
  for (const keyword of ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'dependentRequired', 'minProperties', '$id']) {
    Reflect.deleteProperty(alone, keyword);
  }
  const { findings, unchecked } = new SchemaChecker(JSON.stringify(alone)).check(
    JSON.stringify({ value }),
    NO_BRANCHES,
  );
  const [first] = findings;
  if (unchecked !== undefined || first === undefined) return undefined;
  return faultText({ ...first, path: first.path.slice(1) });
}
