import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { expect } from 'vitest';

/** Throws unless a text is JSON as a schema of the package says. */
export function requireShape(name: string, text: string): void {
  const path = join(import.meta.dirname, `../../schemas/mcp-inspect.${name}.schema.json`);
  const accepts = new Ajv({ allErrors: true }).compile(JSON.parse(readFileSync(path, 'utf8')));
  accepts(JSON.parse(text));
  expect(accepts.errors ?? []).toEqual([]);
}
