import type { SchemaChangeKind } from './schema-changes';

/** A change of what a server offers that breaks who relied on it. */
export interface BreakingRule {
  readonly id: string;
  /** What changed, for a heading. */
  readonly what: string;
  /** One sentence: who breaks. */
  readonly why: string;
  /** The changes of an argument schema, or of an output schema, that it is about. Without: code of its own finds it. */
  readonly input?: readonly SchemaChangeKind[];
  readonly output?: readonly SchemaChangeKind[];
}

/** Every rule. A change that none knows is a change, and not called breaking. Ids are stable. */
export const BREAKING_RULES = [
  { id: 'capability-gone', what: 'A capability is gone', why: 'Clients that use the feature get errors.' },
  { id: 'tool-gone', what: 'A tool is gone', why: 'Calls of it fail.' },
  { id: 'prompt-gone', what: 'A prompt is gone', why: 'Getting it fails.' },
  { id: 'resource-gone', what: 'A resource is gone', why: 'Reading it fails.' },
  { id: 'template-gone', what: 'A resource template is gone', why: 'Addresses made from it lead nowhere.' },
  {
    id: 'parameter-added',
    what: 'A required parameter was added',
    why: 'Calls written before leave it out.',
    input: ['required-property-added'],
  },
  {
    id: 'parameter-required',
    what: 'An optional parameter became required',
    why: 'Calls that leave it out are refused.',
    input: ['became-required'],
  },
  {
    id: 'parameter-gone',
    what: 'A parameter is gone',
    why: 'Calls that give it are refused, or it means nothing any more.',
    input: ['property-removed'],
  },
  {
    id: 'parameter-type',
    what: 'A parameter takes another type, or fewer types',
    why: 'Values that were right are refused.',
    input: ['type-changed', 'type-narrowed', 'branch-removed'],
  },
  {
    id: 'parameter-values',
    what: 'A parameter takes fewer values',
    why: 'A value that was allowed is refused.',
    input: ['values-narrowed'],
  },
  {
    id: 'parameter-bound',
    what: 'A parameter is bound more tightly',
    why: 'Values beyond the new bound are refused.',
    input: ['bound-narrowed'],
  },
  {
    id: 'parameters-closed',
    what: 'Parameters that are not listed are refused now',
    why: 'Calls that give others fail.',
    input: ['closed'],
  },
  { id: 'output-schema-gone', what: 'An output schema is gone', why: 'Nothing promises structured results any more.' },
  {
    id: 'output-gone',
    what: 'A field of the output is gone',
    why: 'Who reads it finds nothing.',
    output: ['property-removed'],
  },
  {
    id: 'output-optional',
    what: 'A field of the output is not promised any more',
    why: 'Who reads it may find nothing.',
    output: ['became-optional'],
  },
  {
    id: 'output-type',
    what: 'A field of the output may have another type',
    why: 'Who reads it may find what it can’t use.',
    output: ['type-changed', 'type-widened', 'branch-added'],
  },
  {
    id: 'output-values',
    what: 'A field of the output may have more values',
    why: 'Who handles the known ones meets another.',
    output: ['values-widened'],
  },
  {
    id: 'task-required',
    what: 'A tool can only be called as a task',
    why: 'Ordinary calls of it are refused.',
  },
  {
    id: 'argument-required',
    what: 'An argument of a prompt became required, or a required one was added',
    why: 'Who leaves it out gets an error.',
  },
  { id: 'argument-gone', what: 'An argument of a prompt is gone', why: 'What is given for it means nothing any more.' },
] as const satisfies readonly BreakingRule[];

export type BreakingRuleId = (typeof BREAKING_RULES)[number]['id'];

/** The rule that a change of a tool's schema breaks, if it does. */
export function breakingSchemaRule(side: 'input' | 'output', kind: SchemaChangeKind): BreakingRuleId | undefined {
  const rules: readonly (BreakingRule & { readonly id: BreakingRuleId })[] = BREAKING_RULES;
  return rules.find((rule) => rule[side]?.includes(kind))?.id;
}
