import type { HostLimit } from '@/features/host-judge';
import { HOST_LIMITS } from '@/features/host-limits';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { specPage } from '@/lib/protocol/spec-pages';
import { resolveReference } from '@/lib/schema/flatten';
import { countOf } from '@/lib/wire/format';
import { tokensOfTool, tokensOfTools } from '@/lib/wire/token-estimate';
import { LISTED_KINDS, type Listed, type ListedKind } from './listed';
import { type CheckFacts, type CheckFinding, type HostSummary, MOST_NAMES } from './report';
import { sampleFindings } from './sample-check';
import { entryName, type Measure, type QualityContext, quotedName, toolTextPath } from './tool-text';

/** Tokens of all tool definitions from which a finding says so: a tenth of a context of 200,000. */
const MANY_TOKENS = 20_000;
/** Schemas visited of one tool, by each rule. */
const MOST_SCHEMAS = 5000;

/**
 * Finds what makes lists hard to use: by people, models and hosts. Rules of the protocol are not repeated, nor limits
 * of hosts for which the server was `judged`. It is to be run in slices, because a server can list as much as it likes.
 */
export function* qualityFindings(
  listed: Listed,
  version: string | undefined,
  measure: Measure,
  judged: readonly HostSummary[] = [],
): Generator<void, readonly CheckFinding[]> {
  const limits = HOST_LIMITS.filter(({ id }) => !judged.some(({ host }) => host === id));
  const context = { spec: specPage('tools', version).url, measure };
  const { tools = [] } = listed;
  const found: (readonly CheckFinding[])[] = [];
  for (const tool of tools) {
    found.push(nameFindings(tool, limits), descriptionFindings(tool, context), schemaFindings(tool, context));
    yield;
  }
  found.push(yield* sampleFindings(tools, context), countFindings(tools, limits));
  yield;
  found.push(sizeFindings(tools, context));
  return found.flat();
}

/** Counts and names the entries of lists, for the summary. `digestOf`: makes a digest of each. */
export function listFacts(listed: Listed, digestOf?: (entry: JsonObject) => string): CheckFacts {
  const { tools, resources, templates, prompts } = listed;
  const named = LISTED_KINDS.filter((kind) => listed[kind]).map(
    (kind) => [kind, entriesByName(kind, listed[kind]!)] as const,
  );
  return {
    names: Object.fromEntries(named.map(([kind, entries]) => [kind, [...entries.keys()]])),
    ...(digestOf && {
      digests: Object.fromEntries(named.map(([kind, entries]) => [kind, [...entries.values()].map(digestOf)])),
    }),
    ...(tools && { tools: tools.length, tokens: tokensOfTools(tools) }),
    ...(resources && { resources: resources.length }),
    ...(templates && { templates: templates.length }),
    ...(prompts && { prompts: prompts.length }),
  };
}

/** Members that identify an entry. */
const IDENTITY: Readonly<Record<ListedKind, string>> = {
  tools: 'name',
  resources: 'uri',
  templates: 'uriTemplate',
  prompts: 'name',
};

function entriesByName(kind: ListedKind, entries: readonly JsonObject[]): ReadonlyMap<string, JsonObject> {
  const named = new Map<string, JsonObject>();
  for (const entry of entries) {
    const name = own(entry, IDENTITY[kind]);
    if (typeof name === 'string' && !named.has(name) && named.size < MOST_NAMES) named.set(name, entry);
  }
  return named;
}

/** Returns the limits of hosts that a rule warns about. */
function limitsOf<R extends HostLimit['rule']>(
  rule: R,
  limits: readonly HostLimit[],
): readonly Extract<HostLimit, { rule: R }>[] {
  return limits.filter((limit): limit is Extract<HostLimit, { rule: R }> => limit.rule === rule);
}

function nameFindings(tool: JsonObject, limits: readonly HostLimit[]): readonly CheckFinding[] {
  const name = entryName(tool);
  const schema = own(tool, 'inputSchema');
  const properties = isObject(schema) ? own(schema, 'properties') : undefined;
  const argumentNames = isObject(properties) ? Object.keys(properties) : [];
  return [
    ...limitsOf('tool-name-host', limits)
      .filter(({ pattern }) => name !== '' && !pattern.test(name))
      .map(
        ({ host, names, accepts, on, source }): CheckFinding => ({
          rule: 'tool-name-host',
          severity: 'warning',
          title: 'Tool name that a host refuses',
          message: `${quotedName(name)}: ${host} accepts only ${accepts} (${on}).`,
          path: toolTextPath(tool, 'name'),
          frames: [],
          advice: 'Use letters, digits, underscores and hyphens, 64 at most, and fewer if hosts add a prefix.',
          spec: source,
          hosts: names,
        }),
      ),
    ...limitsOf('argument-name-host', limits).flatMap(({ host, names, pattern, accepts, on, source }) =>
      argumentNames
        .filter((each) => !pattern.test(each))
        .map(
          (each): CheckFinding => ({
            rule: 'argument-name-host',
            severity: 'warning',
            title: 'Argument name that a host refuses',
            message: `${quotedName(name)} has the argument ${quotedName(each)}: ${host} accepts only ${accepts} (${on}).`,
            path: toolTextPath(tool, 'inputSchema', 'properties', each),
            frames: [],
            advice: 'Rename the argument. The host refuses every request that includes this tool.',
            spec: source,
            hosts: names,
          }),
        ),
    ),
    ...limitsOf('schema-top-level-host', limits).flatMap(({ host, names, keywords, on, source }) =>
      keywords
        .filter((keyword) => isObject(schema) && own(schema, keyword) !== undefined)
        .map(
          (keyword): CheckFinding => ({
            rule: 'schema-top-level-host',
            severity: 'warning',
            title: 'Schema that a host refuses',
            message: `The schema of ${quotedName(name)} has ${keyword} at its top level, which ${host} refuses (${on}).`,
            path: toolTextPath(tool, 'inputSchema', keyword),
            frames: [],
            advice: 'Move the choice into a property, or check it in the tool. Some hosts rewrite such schemas.',
            spec: source,
            hosts: names,
          }),
        ),
    ),
  ];
}

function descriptionFindings(tool: JsonObject, { spec }: QualityContext): readonly CheckFinding[] {
  const name = entryName(tool);
  const schema = own(tool, 'inputSchema');
  const properties = isObject(schema) ? own(schema, 'properties') : undefined;
  const all = isObject(properties) ? Object.entries(properties) : [];
  const budget = { left: MOST_SCHEMAS };
  const bare = all.filter(([, property]) => !isDescribed(property, schema, budget)).map(([key]) => key);
  return [
    ...(isBlank(own(tool, 'description'))
      ? [
          {
            rule: 'tool-description',
            severity: 'warning',
            title: 'Tool without a description',
            message: `${quotedName(name)} has no description.`,
            path: toolTextPath(tool, 'description'),
            frames: [],
            advice: 'Say what the tool does and when to use it. Models choose tools by it.',
            spec,
          } as const,
        ]
      : []),
    ...(bare.length > 0
      ? [
          {
            rule: 'argument-description',
            severity: 'info',
            title: 'Arguments without descriptions',
            message: `${quotedName(name)}: ${bare.length} of ${countOf(all.length, 'argument')} without a description: ${bare.slice(0, 5).map(quotedName).join(', ')}${bare.length > 5 ? ' …' : ''}.`,
            path: toolTextPath(tool, 'inputSchema', 'properties'),
            frames: [],
            advice: 'Describe each argument, with its format and an example. Models fill them in by it.',
            spec,
          } as const,
        ]
      : []),
  ];
}

function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === '';
}

/** True if a property, what it refers to, or one of its alternatives has a description, or if the budget is used up. */
function isDescribed(property: unknown, root: unknown, budget: { left: number }, depth = MOST_NESTED): boolean {
  if (budget.left-- <= 0) return true;
  if (!isObject(property) || depth === 0) return false;
  if (!isBlank(own(property, 'description'))) return true;
  const branches = ALTERNATIVES.flatMap((key) => own(property, key)).slice(0, MOST_ALTERNATIVES);
  const parts = [resolveReference(own(property, '$ref'), property, root), ...branches];
  return parts.some((part) => isDescribed(part, root, budget, depth - 1));
}

const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf'];
/** References and alternatives that are followed, in depth and at each level, since references can multiply. */
const MOST_NESTED = 4;
const MOST_ALTERNATIVES = 20;

/** Finds references by anchor or id that lead nowhere. The rule `tool-schema` finds those by pointer. */
function schemaFindings(tool: JsonObject, { spec }: QualityContext): readonly CheckFinding[] {
  const found: CheckFinding[] = [];
  for (const key of ['inputSchema', 'outputSchema']) {
    const root = own(tool, key);
    const pending: unknown[] = [root];
    for (let seen = 0; pending.length > 0 && seen < MOST_SCHEMAS; seen++) {
      const node = pending.pop();
      if (Array.isArray(node)) pending.push(...node.slice(0, MOST_SCHEMAS));
      if (!isObject(node)) continue;
      const reference = own(node, '$ref');
      if (typeof reference === 'string' && !/^(?:#(?:\/|$)|https?:)/i.test(reference)) {
        if (resolveReference(reference, node, root) === undefined) {
          found.push({
            rule: 'schema-reference',
            severity: 'warning',
            title: 'Reference that leads nowhere',
            message: `${quotedName(entryName(tool))}: ${quotedName(reference)} does not exist in the schema.`,
            path: toolTextPath(tool, key),
            frames: [],
            advice: 'Add the $anchor or $id, or refer to it by a pointer such as #/$defs/Name.',
            spec,
          });
        }
      }
      for (const [word, value] of Object.entries(node)) {
        // These hold values, not schemas.
        if (!['const', 'enum', 'default', 'examples', 'example'].includes(word)) pending.push(value);
      }
    }
  }
  return found;
}

function countFindings(tools: readonly JsonObject[], limits: readonly HostLimit[]): readonly CheckFinding[] {
  return limitsOf('tool-count-host', limits)
    .filter(({ most }) => tools.length > most)
    .map(
      ({ host, names, most, on, source }): CheckFinding => ({
        rule: 'tool-count-host',
        severity: 'warning',
        title: 'More tools than a host takes',
        message: `${countOf(tools.length, 'tool')}: ${host} takes ${most} of all servers together (${on}).`,
        path: 'tools',
        frames: [],
        advice: 'Merge tools, or let users choose groups of them.',
        spec: source,
        hosts: names,
      }),
    );
}

function sizeFindings(tools: readonly JsonObject[], { spec }: QualityContext): readonly CheckFinding[] {
  let [tokens, most, largest] = [0, 0, ''];
  for (const tool of tools) {
    const size = tokensOfTool(tool);
    tokens += size;
    if (size > most) [most, largest] = [size, entryName(tool)];
  }
  if (tokens < MANY_TOKENS) return [];
  return [
    {
      rule: 'definitions-size',
      severity: 'info',
      title: 'Large tool definitions',
      message: `All tool definitions take ~${tokens} tokens. The largest is ${quotedName(largest)} with ~${most}.`,
      path: 'tools',
      frames: [],
      advice: 'Shorten descriptions and schemas. Many hosts send all of them with every request to the model.',
      spec,
    },
  ];
}
