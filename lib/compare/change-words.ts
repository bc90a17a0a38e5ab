import type { SchemaChange, SchemaChangeKind } from './schema-changes';

/** `what` names the place: the parameter `a.b`. */
const WORDS: Readonly<Record<SchemaChangeKind, (what: string, change: SchemaChange) => string>> = {
  'property-removed': (what) => `${what} is gone.`,
  'property-added': (what, { after }) => `${what} is new${after && `: ${after}`}.`,
  'required-property-added': (what, { after }) => `${what} is new and required${after && `: ${after}`}.`,
  'became-required': (what) => `${what} is required now.`,
  'became-optional': (what) => `${what} is optional now.`,
  'type-changed': (what, { before, after }) => `${what} was ${before}, and is ${after}.`,
  'type-narrowed': (what, { before, after }) => `${what} was ${before}, and is only ${after}.`,
  'type-widened': (what, { before, after }) => `${what} was ${before}, and is ${after}.`,
  'values-narrowed': (what, { before, after }) =>
    after ? `${what} is one of ${after} now.` : `${what} can’t be ${before} any more.`,
  'values-widened': (what, { before, after }) =>
    before ? `${what} was one of ${before}, and is anything now.` : `${what} can be ${after} too.`,
  'bound-narrowed': (what, { before, after }) => `${what} has ${after}; it had ${before}.`,
  'bound-widened': (what, { before, after }) => `${what} has ${after}; it had ${before}.`,
  closed: (what) => `${what} has no members now but those that are listed.`,
  opened: (what) => `${what} may have other members now than those that are listed.`,
  'branch-removed': (what, { before }) => `${what} can’t be ${before} any more.`,
  'branch-added': (what, { after }) => `${what} can be ${after} too.`,
  other: (what, { before, after }) =>
    before || after ? `${what} has ${after}; it had ${before}.` : `${what} changed.`,
};

/** A change of a tool's schema, in one sentence. */
export function changeWords(side: 'input' | 'output', change: SchemaChange): string {
  const thing = side === 'input' ? 'parameter' : 'output field';
  const what = change.path === '' ? `\`${side}Schema\`` : `The ${thing} \`${change.path}\``;
  return WORDS[change.kind](what, change);
}
