import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SchemaChecker } from '@/lib/schema/check';
import { inferType } from './infer';
import { jsonSchema } from './json-schema';
import { families, Random } from './test-families';

const NO_BRANCHES = new Map<string, string>();
/** Results that a schema is inferred from, and that are held out. */
const [LEARNT, HELD_OUT] = [200, 100];

function acceptor(values: readonly unknown[]): (value: unknown) => boolean {
  const checker = new SchemaChecker(JSON.stringify(jsonSchema(inferType(values))));
  return (value) => {
    const { findings, unchecked } = checker.check(JSON.stringify(value), NO_BRANCHES);
    expect(unchecked).toBeUndefined();
    return findings.length === 0;
  };
}

test('accepts 99 % of later results, and rejects 95 % of broken ones', () => {
  const counts = { held: 0, accepted: 0, mutants: 0, rejected: 0 };
  fc.assert(
    fc.property(families, fc.nat(), (family, seed) => {
      const random = new Random(seed);
      const make = (length: number) => Array.from({ length }, () => family.make(random));
      const accepts = acceptor(make(LEARNT));
      const held = make(HELD_OUT);
      const accepted = held.filter(accepts).length;
      const mutants = held.slice(0, 5).flatMap((value) => family.mutants(value));
      const rejected = mutants.filter((mutant) => !accepts(mutant)).length;
      if (process.env.SHOW && (accepted < 0.97 * held.length || rejected < 0.9 * mutants.length))
        console.log(family.name, accepted, held.length, rejected, mutants.length);
      counts.held += held.length;
      counts.accepted += accepted;
      counts.mutants += mutants.length;
      counts.rejected += rejected;
    }),
    { numRuns: 60, seed: 19 },
  );
  if (process.env.SHOW) console.log(counts);
  expect(counts.accepted / counts.held).toBeGreaterThanOrEqual(0.99);
  expect(counts.rejected / counts.mutants).toBeGreaterThanOrEqual(0.95);
});
