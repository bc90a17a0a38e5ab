import type { CallComparison } from '@/lib/replay/compare/call-diff';
import type { Comparison } from '@/lib/replay/compare/comparison';
import { countOf } from '@/lib/wire/format';
import { closest } from '@/proxy/cli/closest';
import { usageError } from '@/proxy/cli/exit-code';
import type { ParsedOptions } from '@/proxy/cli/grammar';

/** The differences that make a diff end with exit code 1. */
export interface DiffGates {
  /** As it was written; undefined for what applies without `--fail-on`. */
  readonly text: string | undefined;
  readonly onChange: boolean;
  readonly onBreaking: boolean;
  /** The most that the tokens of the tools may grow. */
  readonly growth: Growth | undefined;
}

interface Growth {
  readonly text: string;
  readonly most: number;
  readonly isPercent: boolean;
}

/** The facts of a comparison that the gates look at. */
export interface DiffFacts {
  readonly isEqual: boolean;
  readonly comparedNothing: boolean;
  /** Breaking changes of what the server offers. */
  readonly breaking: number;
  /** Calls that had a result, and have none any more. */
  readonly broken: number;
  readonly tokens: Comparison['tokens'];
}

const GROWTH = /^tokens(?:\+(\d{1,9}(?:\.\d{1,3})?)(%?))?$/;

/** Reads `--fail-on`. Throws an ExitError. */
export function readGates(given: ParsedOptions): DiffGates {
  const words = given.get('fail-on')?.flatMap((value) => value.split(','));
  const gates = { text: words?.join(','), onChange: words === undefined, onBreaking: false, growth: undefined };
  return (words ?? []).reduce<DiffGates>(withGate, gates);
}

function withGate(gates: DiffGates, word: string): DiffGates {
  if (word === 'change') return { ...gates, onChange: true };
  if (word === 'breaking') return { ...gates, onBreaking: true };
  const [found, most = '0', percent] = GROWTH.exec(word) ?? [];
  if (found !== undefined) return { ...gates, growth: { text: word, most: Number(most), isPercent: percent === '%' } };
  const near = word.startsWith('tokens') ? undefined : closest(word, ['change', 'breaking', 'tokens']);
  const advice = near ? `did you mean \`${near}\`?` : 'choose from change, breaking, tokens+10% and tokens+500.';
  throw usageError(`Unknown \`--fail-on ${word}\`: ${advice}`);
}

/** Returns why the diff fails, a sentence each; [] if it passes. */
export function failuresOf(gates: DiffGates, facts: DiffFacts): readonly string[] {
  const { isEqual, comparedNothing, breaking, broken } = facts;
  // A gate that saw nothing must not be open.
  if (comparedNothing) return ['Nothing could be compared.'];
  const tokens = gates.growth && growthFailure(gates.growth, facts.tokens);
  return [
    ...(gates.onChange && !isEqual ? ['Something changed.'] : []),
    ...(gates.onBreaking && breaking > 0 ? [`${countOf(breaking, 'breaking change')}.`] : []),
    ...(gates.onBreaking && broken > 0 ? [`${countOf(broken, 'call')} without a result any more.`] : []),
    ...(tokens === undefined ? [] : [tokens]),
  ];
}

function growthFailure({ text, most, isPercent }: Growth, [before, after]: DiffFacts['tokens']): string | undefined {
  if (before === undefined || after === undefined) return 'The tokens are unknown: a list of tools is missing.';
  const limit = isPercent ? before * (1 + most / 100) : before + most;
  return after > limit ? `The tools take ~${after - before} tokens more, which \`${text}\` does not allow.` : undefined;
}

/** True for a call that had a result, and has an error or no response now. */
export function isBroken({ ends }: Pick<CallComparison, 'ends'>): boolean {
  return ends !== undefined && ends[0] === 'a result' && ends[1] !== 'a result';
}

/** Returns the changes that count as failures: all of them, or only those that break clients. */
export function failingChanges({ catalogue }: Comparison, { onChange }: DiffGates): Comparison['catalogue'] {
  return onChange ? catalogue : catalogue.filter(({ breaking }) => breaking !== undefined);
}
