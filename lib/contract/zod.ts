import type { Declarations, Ref } from './declarations';
import { scriptString } from './literals';
import type { Member } from './types';
import { aboutRoot } from './typescript';

/** Writes schemas of Zod 4, and their types. Objects keep keys that they don't list. */
export function zodCode({ objects, roots }: Declarations): string {
  const written = objects.map(({ name, members }) => {
    const about = roots.filter((root) => root.name === name).map(aboutRoot);
    const fields = members.filter(isReadable).map(memberLine);
    return [...about, `export const ${name} = z.looseObject({`, ...fields, '});', typeLine(name)].join('\n');
  });
  const others = roots
    .filter(({ type }) => type.kind !== 'named')
    .map((root) => `${aboutRoot(root)}\nexport const ${root.name} = ${schemaText(root.type)};\n${typeLine(root.name)}`);
  return ["import * as z from 'zod';", ...written, ...others].join('\n\n');
}

/** False for names under which Zod reads what every object inherits, if they are absent. */
function isReadable({ key, required }: Member<Ref>): boolean {
  return key !== '__proto__' && (required || !(key in Object.prototype));
}

function typeLine(name: string): string {
  return `export type ${name} = z.infer<typeof ${name}>;`;
}

function memberLine({ key, required, type }: Member<Ref>): string {
  const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : scriptString(key);
  return `  ${name}: ${schemaText(type)}${required ? '' : '.optional()'},`;
}

const FORMATS = { 'date-time': 'z.iso.datetime({ offset: true })', date: 'z.iso.date()' } as const;

const WRITE: { readonly [K in Ref['kind']]: (type: Extract<Ref, { kind: K }>) => string } = {
  unknown: () => 'z.unknown()',
  null: () => 'z.null()',
  integer: () => 'z.int()',
  number: () => 'z.number()',
  boolean: ({ value }) => (value === undefined ? 'z.boolean()' : `z.literal(${value})`),
  string: ({ values, format }) => {
    if (!values) return format ? FORMATS[format] : 'z.string()';
    return values.length === 1
      ? `z.literal(${scriptString(values[0]!)})`
      : `z.enum([${values.map(scriptString).join(', ')}])`;
  },
  named: ({ name }) => name,
  array: ({ items }) => `z.array(${schemaText(items)})`,
  map: ({ values }) => `z.record(z.string(), ${schemaText(values)})`,
  union: ({ of }) => {
    const others = of.filter(({ kind }) => kind !== 'null').map(schemaText);
    const text = others.length === 1 ? others[0]! : `z.union([${others.join(', ')}])`;
    return others.length < of.length ? `${text}.nullable()` : text;
  },
};

function schemaText(type: Ref): string {
  return (WRITE[type.kind] as (type: Ref) => string)(type);
}
