import type { SchemaChangeKind } from './schema-changes';

/** A kind of change to what a server offers that breaks its clients. */
interface BreakingRule {
  readonly id: string;
  /** The change, as a heading. */
  readonly what: string;
  /** One sentence: what breaks. */
  readonly why: string;
  /** Kinds of schema changes that the rule covers. Absent: the rule has code of its own. */
  readonly input?: readonly SchemaChangeKind[];
  readonly output?: readonly SchemaChangeKind[];
}

/** Every rule. A change that no rule covers is not breaking. Ids are stable. */
export const BREAKING_RULES = [
  { id: 'capability-gone', what: 'A capability is gone', why: 'Clients that use the feature get errors.' },
  { id: 'list-refused', what: 'A list is refused', why: 'Clients find none of its entries.' },
  { id: 'tool-gone', what: 'A tool is gone', why: 'Calls to it fail.' },
  { id: 'prompt-gone', what: 'A prompt is gone', why: 'Getting it fails.' },
  { id: 'resource-gone', what: 'A resource is gone', why: 'Reading it fails.' },
  { id: 'template-gone', what: 'A resource template is gone', why: 'URIs made from it can’t be read.' },
  {
    id: 'parameter-added',
    what: 'A required parameter was added',
    why: 'Existing calls leave it out.',
    input: ['required-property-added'],
  },
  {
    id: 'parameter-required',
    what: 'An optional parameter became required',
    why: 'Calls without it are refused.',
    input: ['became-required'],
  },
  {
    id: 'parameter-gone',
    what: 'A parameter is gone',
    why: 'Calls with it are refused, or the parameter is ignored.',
    input: ['property-removed'],
  },
  {
    id: 'parameter-type',
    what: 'A parameter has another type, or fewer types',
    why: 'Values that were valid are refused.',
    input: ['type-changed', 'type-narrowed', 'branch-removed'],
  },
  {
    id: 'parameter-values',
    what: 'A parameter allows fewer values',
    why: 'Values that were allowed are refused.',
    input: ['values-narrowed'],
  },
  {
    id: 'parameter-bound',
    what: 'A parameter has a tighter limit',
    why: 'Values beyond the new limit are refused.',
    input: ['bound-narrowed'],
  },
  {
    id: 'parameters-closed',
    what: 'Unlisted parameters are refused now',
    why: 'Calls with other parameters fail.',
    input: ['closed'],
  },
  {
    id: 'output-schema-gone',
    what: 'An output schema is gone',
    why: 'Clients can no longer rely on structured results.',
  },
  {
    id: 'output-gone',
    what: 'A field of the output is gone',
    why: 'Clients that read it find nothing.',
    output: ['property-removed'],
  },
  {
    id: 'output-optional',
    what: 'A field of the output became optional',
    why: 'Clients that read it may find nothing.',
    output: ['became-optional'],
  },
  {
    id: 'output-type',
    what: 'A field of the output may have another type',
    why: 'Clients may get a value they can’t use.',
    output: ['type-changed', 'type-widened', 'branch-added'],
  },
  {
    id: 'output-values',
    what: 'A field of the output may have more values',
    why: 'Clients that handle only the old values may get another.',
    output: ['values-widened'],
  },
  {
    id: 'task-required',
    what: 'A tool can only be called as a task',
    why: 'Ordinary calls to it are refused.',
  },
  {
    id: 'argument-required',
    what: 'An argument of a prompt became required, or a required one was added',
    why: 'Clients that leave it out get an error.',
  },
  { id: 'argument-gone', what: 'An argument of a prompt is gone', why: 'Values given for it are ignored.' },
] as const satisfies readonly BreakingRule[];

export type BreakingRuleId = (typeof BREAKING_RULES)[number]['id'];

/** Finds the rule by which a change of a tool’s schema is breaking. */
export function breakingSchemaRule(side: 'input' | 'output', kind: SchemaChangeKind): BreakingRuleId | undefined {
  const rules: readonly (BreakingRule & { readonly id: BreakingRuleId })[] = BREAKING_RULES;
  return rules.find((rule) => rule[side]?.includes(kind))?.id;
}
