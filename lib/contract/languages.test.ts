import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type * as zod from 'zod';
import { SchemaChecker } from '@/lib/schema/check';
import { type Declarations, declare } from './declarations';
import { inferType } from './infer';
import { jsonSchema } from './json-schema';
import { pydanticCode } from './pydantic';
import { families, Random } from './test-families';
import { typescriptCode } from './typescript';
import { zodCode } from './zod';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-contract-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Keys that would be code, or nothing, if they were written as they are. */
const HOSTILE = {
  'a"; process.exit(9); "': 1,
  "b'); import os; os._exit(9) #": 1,
  'c*/ throw 9 /*': 1,
  'd\n};throw 9;//': 1,
  'e`${process.exit(9)}`': 1,
  'f\u2028throw 9': 1,
  'g"""\nraise SystemExit(9)\n"""': 1,
  'h\\': 1,
  'i\ud800': 1,
  'j\u202egnp': 1,
  '\u0000': 1,
  '': 1,
  ' ': 1,
  '😀': 1,
  constructor: 1,
  toString: 1,
  prototype: 1,
  'a-b': 1,
  a_b: 1,
  'a b': 1,
  '1st': 1,
  _private: 1,
  __init__: 1,
  model_config: 1,
  class: 1,
  None: 1,
  self: 1,
  date: '2026-01-01',
  str: { int: 1, list: [1] },
  json: true,
  Any: null,
  Record: { Array: [{ String: 'x' }] },
  string: { number: 1 },
  z: 1,
};

const hostileTypes = declare([
  { tool: 'rm -rf / */ """ \n', type: inferType(Array.from({ length: 20 }, () => HOSTILE)), results: 20 },
  { tool: 'any', type: inferType([[1, 'a', null]]), results: 1 },
  { tool: '', type: inferType([{}]), results: 1 },
  { tool: 'items', type: inferType([[{ items: [{ id: 1 }] }]]), results: 1234 },
]);

const types = hostileTypes.roots.map(({ name }) => name);

/** Declarations of many families, and values of each. */
function sampled(): { readonly all: Declarations; readonly values: readonly (readonly unknown[])[] } {
  const values = fc.sample(families, { numRuns: 25, seed: 4 }).map((family, seed) => {
    const random = new Random(seed);
    return Array.from({ length: 120 }, () => family.make(random));
  });
  const tools = values.map((learnt, at) => ({ tool: `tool ${at}`, type: inferType(learnt), results: learnt.length }));
  return { all: declare(tools), values };
}

test('names types by their keys, once for equal ones', () => {
  const person = { name: 'Ada', id: 1 };
  const type = inferType([
    {
      owner: person,
      items: [{ owner: person, at: 'now' }],
      entries: { '1': { owner: 'x' }, '2': { owner: 'y' }, '3': { owner: 'z' } },
    },
  ]);
  expect(typescriptCode(declare([{ tool: 'find-items', type, results: 1 }]))).toBe(`export interface Owner {
  name: string;
  id: number;
}

export interface Item {
  owner: Owner;
  at: string;
}

export interface Entry {
  owner: string;
}

/** Result of the tool "find-items", inferred from 1 result. */
export interface FindItemsResult {
  owner: Owner;
  items: Item[];
  entries: Record<string, Entry>;
}`);
});

test('TypeScript compiles, whatever the keys', async () => {
  writeFileSync(join(folder, 'hostile.ts'), typescriptCode(hostileTypes));
  writeFileSync(join(folder, 'sampled.ts'), typescriptCode(sampled().all));
  const check = join(folder, 'check.ts');
  const value = JSON.stringify({ ...HOSTILE });
  writeFileSync(check, `import type { ${types[0]} } from './hostile';\nexport const value: ${types[0]} = ${value};\n`);
  const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
  const args = [
    tsc,
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'preserve',
    '--ignoreConfig',
    check,
    join(folder, 'sampled.ts'),
  ];
  await run(process.execPath, args, { cwd: folder }).catch(({ stdout }) => expect(stdout).toBe(''));
});

type Schemas = Record<string, zod.ZodType>;

async function loadZod(name: string, declarations: Declarations): Promise<Schemas> {
  const file = join(folder, `${name}.mjs`);
  const zodUrl = import.meta.resolve('zod');
  const code = zodCode(declarations)
    .replace("'zod'", JSON.stringify(zodUrl))
    .replace(/^export type .*$/gm, '');
  writeFileSync(file, code);
  return import(/* @vite-ignore */ file);
}

test('Zod runs, whatever the keys', async () => {
  const schemas = await loadZod('hostile', hostileTypes);
  expect(schemas[types[0]!]!.safeParse(HOSTILE).error).toBeUndefined();
  for (const key of Object.keys(HOSTILE).filter((name) => name !== 'Any')) {
    const { [key as keyof typeof HOSTILE]: _, ...without } = HOSTILE;
    // Objects have these by inheritance.
    if (!(key in {})) expect(schemas[types[0]!]!.safeParse(without).success, JSON.stringify(key)).toBe(false);
  }
});

test('Zod accepts the same values as the JSON Schema', async () => {
  const { all, values } = sampled();
  const schemas = await loadZod('sampled', all);
  const compared = { same: 0, refused: 0 };
  fc.sample(families, { numRuns: 25, seed: 4 }).forEach((family, at) => {
    const checker = new SchemaChecker(JSON.stringify(jsonSchema(inferType(values[at]!))));
    const schema = schemas[all.roots[at]!.name]!;
    const some = values[at]!.slice(0, 8);
    for (const value of [...some, ...some.flatMap((one) => family.mutants(one))]) {
      const { findings } = checker.check(JSON.stringify(value), new Map());
      expect({ value, ok: schema.safeParse(value).success }).toEqual({ value, ok: findings.length === 0 });
      compared[findings.length === 0 ? 'same' : 'refused']++;
    }
  });
  expect(compared.same).toBeGreaterThan(150);
  expect(compared.refused).toBeGreaterThan(150);
});

const python = await run('python3', ['--version']).then(
  () => true,
  () => false,
);

test.skipIf(!python)('Pydantic compiles, whatever the keys', async () => {
  const files = ['hostile', 'sampled'].map((name) => join(folder, `${name}.py`)) as [string, string];
  writeFileSync(files[0], pydanticCode(hostileTypes));
  writeFileSync(files[1], pydanticCode(sampled().all));
  await run('python3', ['-m', 'py_compile', ...files]);
});
