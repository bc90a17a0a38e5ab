import type { CallComparison } from '@/lib/compare/call-diff';
import { breakingWords, type CatalogueChange } from '@/lib/compare/catalogue-diff';
import { type Comparison, callName, isEqual } from '@/lib/compare/compare-sessions';
import { summaryOf, summaryText } from '@/lib/compare/summary';
import { unlistedText } from '@/lib/compare/unlisted';
import type { Difference } from '@/lib/compare/value-diff';
import type { Line, Piece } from '../terminal/styled';

/** What the two sides are called, and where a list is missing that neither has. */
export type Sides = readonly [before: string, after: string, both: string];

/** A comparison for people. What is the same is counted and not listed. */
export function reportLines(comparison: Comparison, sides: Sides): readonly Line[] {
  const { catalogue, calls } = comparison;
  const told = calls.filter(({ verdict }) => verdict !== 'same');
  return [
    ...catalogueLines(catalogue),
    ...unlistedLines(comparison, sides),
    ...told.flatMap((call) => callLines(call, sides)),
    summaryLine(comparison),
  ];
}

/** `tool echo`, or what else a change is about. */
export function subjectText({ about, name }: Pick<CatalogueChange, 'about' | 'name'>): string {
  return name === '' ? about : `${about} ${name}`;
}

function catalogueLines(changes: readonly CatalogueChange[]): readonly Line[] {
  const lines: Line[] = [];
  let subject = '';
  for (const change of changes) {
    const about = subjectText(change);
    if (about !== subject) lines.push([{ text: about, tone: 'strong' }]);
    subject = about;
    const { breaking, sentence } = change;
    lines.push(
      breaking
        ? ['  ', { text: 'breaking', tone: 'bad' }, `  ${sentence} `, { text: breakingWords(breaking), tone: 'muted' }]
        : ['  ', { text: change.change.padEnd(8), tone: 'warn' }, `  ${sentence}`],
    );
  }
  return lines;
}

function unlistedLines({ unlisted }: Comparison, sides: Sides): readonly Line[] {
  return unlisted.map((one) => [{ text: unlistedText(one, sides), tone: 'muted' }]);
}

function callLines(call: CallComparison, sides: Sides): readonly Line[] {
  const { before, after, verdict, ends, differences, skipped } = call;
  const name: Piece = { text: callName((before ?? after)!), tone: 'strong' };
  const where = [before && `#${before.seq}`, after && `#${after.seq}`].filter(Boolean).join(' → ');
  const head: Line = [name, { text: ` ${where}`, tone: 'muted' }];
  if (verdict === 'skipped') return [[...head, '  ', { text: 'skipped', tone: 'warn' }, `: ${skipped}.`]];
  if (verdict !== 'different') {
    return [[...head, '  ', { text: 'only', tone: 'bad' }, ` in ${sides[verdict === 'only-before' ? 0 : 1]}`]];
  }
  return [
    head,
    ...(ends ? [['  ended otherwise', ...values(...ends)]] : []),
    ...differences.map((difference) => differenceLine(difference)),
  ];
}

const KINDS: Readonly<Record<Difference['kind'], string>> = {
  missing: 'gone',
  added: 'new',
  changed: 'changed',
  type: 'other type',
};

function differenceLine({ kind, path, before, after }: Difference): Line {
  return ['  ', { text: KINDS[kind], tone: 'warn' }, ` ${path || 'the answer'}`, ...values(before, after)];
}

/** The same in plain text, without the white space before it. */
export function differenceText(difference: Difference): string {
  return textOf(differenceLine(difference)).trim();
}

/** That a call ended in another way, in plain text. */
export function endsText([before, after]: readonly [string, string]): string {
  return `ended otherwise${textOf(values(before, after))}`;
}

function textOf(line: Line): string {
  return line.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('');
}

function values(before: string, after: string): readonly Piece[] {
  return [
    ': ',
    ...(before === '' ? [] : [{ text: before, tone: 'bad' } as const]),
    ...(before === '' || after === '' ? [] : [' → ']),
    ...(after === '' ? [] : [{ text: after, tone: 'good' } as const]),
  ];
}

function summaryLine(comparison: Comparison): Line {
  return [{ text: summaryText(summaryOf(comparison)), tone: isEqual(comparison) ? 'good' : 'bad' }];
}
