import { countOf } from '@/lib/wire/format';
import type { Declaration, Declarations, Ref, RootType } from './declarations';
import { commentText, pythonString } from './literals';

/** Writes models of Pydantic 2, for Python 3.10 and newer. */
export function pydanticCode({ objects, roots }: Declarations): string {
  const written = objects.map(({ name, members }) => {
    const about = roots.filter((root) => root.name === name).map(aboutRoot);
    const fields = members.length === 0 ? ['    pass'] : fieldLines(members);
    return [...about, `class ${name}(BaseModel):`, ...fields].join('\n');
  });
  const others = roots
    .filter(({ type }) => type.kind !== 'named')
    .map((root) => `${aboutRoot(root)}\nclass ${root.name}(RootModel[${annotation(root.type)}]):\n    pass`);
  return [HEAD, ...written, ...others].join('\n\n\n');
}

const HEAD = `from datetime import date
from typing import Any, Literal

from pydantic import AwareDatetime, BaseModel, Field, RootModel`;

function aboutRoot({ tool, results }: RootType): string {
  return `# Result of the tool ${commentText(tool)}, inferred from ${countOf(results, 'result')}.`;
}

/** Keywords of Python, and names that a field would hide from the annotations after it or from BaseModel. */
const RESERVED = new Set([
  'and',
  'as',
  'assert',
  'async',
  'await',
  'break',
  'class',
  'continue',
  'def',
  'del',
  'elif',
  'else',
  'except',
  'finally',
  'for',
  'from',
  'global',
  'if',
  'import',
  'in',
  'is',
  'lambda',
  'nonlocal',
  'not',
  'or',
  'pass',
  'raise',
  'return',
  'try',
  'while',
  'with',
  'yield',
  'None',
  'True',
  'False',
  'bool',
  'date',
  'dict',
  'float',
  'int',
  'list',
  'str',
  'Any',
  'AwareDatetime',
  'BaseModel',
  'Field',
  'Literal',
  'construct',
  'copy',
  'dict',
  'from_orm',
  'json',
  'parse_file',
  'parse_obj',
  'parse_raw',
  'schema',
  'schema_json',
  'update_forward_refs',
  'validate',
  'RootModel',
]);

function fieldLines(members: Declaration['members']): readonly string[] {
  const taken = new Set(RESERVED);
  return members.map(({ key, required, type }) => {
    const name = fieldName(key, taken);
    taken.add(name);
    const isNullable = type.kind === 'union' && type.of.some(({ kind }) => kind === 'null');
    const annotated = annotation(type);
    const optional = required || isNullable || type.kind === 'null' || type.kind === 'unknown';
    const value = [...(required ? [] : ['default=None']), ...(name === key ? [] : [`alias=${pythonString(key)}`])];
    const field = name === key ? (required ? '' : ' = None') : ` = Field(${value.join(', ')})`;
    return `    ${name}: ${annotated}${optional ? '' : ' | None'}${field}`;
  });
}

/** Longest name of a field, in characters. */
const NAME_CHARS = 60;

/** Makes a name that Python and Pydantic accept. Those with `_` in front are private, and `model_` is Pydantic's. */
function fieldName(key: string, taken: ReadonlySet<string>): string {
  const ascii = key.slice(0, NAME_CHARS).replace(/\W+/g, '_').replace(/^_+/, '');
  const wanted = /^[A-Za-z]/.test(ascii) && !/^model_/.test(ascii) ? ascii : `field_${ascii}`;
  if (key === wanted && !taken.has(key)) return key;
  let name = taken.has(wanted) ? `${wanted}_` : wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}_${number}`;
  return name;
}

const WRITE: { readonly [K in Ref['kind']]: (type: Extract<Ref, { kind: K }>) => string } = {
  unknown: () => 'Any',
  null: () => 'None',
  integer: () => 'int',
  number: () => 'float',
  boolean: ({ value }) => (value === undefined ? 'bool' : `Literal[${value ? 'True' : 'False'}]`),
  string: ({ values, format }) => {
    if (values) return `Literal[${values.map(pythonString).join(', ')}]`;
    return format === undefined ? 'str' : format === 'date' ? 'date' : 'AwareDatetime';
  },
  named: ({ name }) => name,
  array: ({ items }) => `list[${annotation(items)}]`,
  map: ({ values }) => `dict[str, ${annotation(values)}]`,
  union: ({ of }) => of.map(annotation).join(' | '),
};

function annotation(type: Ref): string {
  return (WRITE[type.kind] as (type: Ref) => string)(type);
}
