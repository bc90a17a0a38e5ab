import { countOf } from '@/lib/wire/format';
import type { Declarations, Ref } from './declarations';
import { commentText, scriptString } from './literals';
import type { Member } from './types';

/** Writes types of TypeScript. */
export function typescriptCode({ objects, roots }: Declarations): string {
  const written = objects.map(({ name, members }) => {
    const about = roots.filter((root) => root.name === name).map(aboutRoot);
    return [...about, `export interface ${name} {`, ...members.map(memberLine), '}'].join('\n');
  });
  const others = roots
    .filter(({ type }) => type.kind !== 'named')
    .map((root) => `${aboutRoot(root)}\nexport type ${root.name} = ${typeText(root.type)};`);
  return [...written, ...others].join('\n\n');
}

/** Writes a comment for the type of a tool. Also for Zod. */
export function aboutRoot({ tool, results }: Declarations['roots'][number]): string {
  return `/** Result of the tool ${commentText(tool)}, inferred from ${countOf(results, 'result')}. */`;
}

function memberLine({ key, required, type }: Member<Ref>): string {
  const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : scriptString(key);
  return `  ${name}${required ? '' : '?'}: ${typeText(type)};`;
}

const WRITE: { readonly [K in Ref['kind']]: (type: Extract<Ref, { kind: K }>) => string } = {
  unknown: () => 'unknown',
  null: () => 'null',
  integer: () => 'number',
  number: () => 'number',
  boolean: ({ value }) => (value === undefined ? 'boolean' : String(value)),
  string: ({ values }) => values?.map(scriptString).join(' | ') ?? 'string',
  named: ({ name }) => name,
  array: ({ items }) => {
    const text = typeText(items);
    return text.includes(' | ') ? `(${text})[]` : `${text}[]`;
  },
  map: ({ values }) => `Record<string, ${typeText(values)}>`,
  union: ({ of }) => of.map(typeText).join(' | '),
};

function typeText(type: Ref): string {
  return (WRITE[type.kind] as (type: Ref) => string)(type);
}
