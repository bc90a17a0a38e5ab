import { Normalising } from '@/lib/compare/normalise';
import { NORMALISERS } from '@/lib/compare/normalisers';
import { COMPARE_MODES, type Comparing } from '@/lib/compare/value-diff';
import { closest } from '../cli/closest';
import { usage } from '../cli/exit-code';

/**
 * How a command line wants things compared: `--compare`, and `--ignore` besides what the mode leaves out by itself. `given` has
 * the values of each option. Throws Stop.
 */
export function readComparing(given: ReadonlyMap<string, readonly string[]>): Comparing {
  const word = given.get('compare')?.at(-1) ?? 'semantic';
  const mode = COMPARE_MODES.find((known) => known === word);
  if (!mode) throw usage(`There is no way to compare called \`${word}\`: choose from ${COMPARE_MODES.join(', ')}.`);
  const names = (given.get('ignore') ?? []).flatMap((value) => value.split(','));
  for (const name of names) requireKnown(name);
  const rows = NORMALISERS.filter(({ name, usual }) => names.includes(name) || (usual && mode === 'semantic'));
  return { mode, normalising: new Normalising(rows) };
}

function requireKnown(name: string): void {
  const known = NORMALISERS.map((row) => row.name);
  if (known.includes(name)) return;
  const near = closest(name, known);
  throw usage(
    `There is nothing to ignore called \`${name}\`: ${near ? `did you mean \`${near}\`?` : `choose from ${known.join(', ')}.`}`,
  );
}
