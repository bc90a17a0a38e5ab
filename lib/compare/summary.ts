import type { CallComparison } from './call-diff';
import type { Comparison } from './compare-sessions';

/** How much of what a comparison has found. */
export interface Summary {
  readonly changes: number;
  readonly breaking: number;
  readonly different: number;
  /** Calls that only one side has. */
  readonly alone: number;
  readonly same: number;
  readonly skipped: number;
  /** Lists that were compared, and those that were not. */
  readonly listed: number;
  readonly unlisted: number;
}

/** Counts it. */
export function summaryOf({ catalogue, listed, unlisted, calls }: Comparison): Summary {
  const count = (...verdicts: readonly CallComparison['verdict'][]): number =>
    calls.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return {
    changes: catalogue.length,
    breaking: catalogue.filter(({ breaking }) => breaking !== undefined).length,
    different: count('different'),
    alone: count('only-before', 'only-after'),
    same: count('same'),
    skipped: count('skipped'),
    listed: listed.length,
    unlisted: unlisted.length,
  };
}

/** In one line, what differs first: `Different: 1 change of the server, 1 breaking, 6 calls the same.` */
export function summaryText(summary: Summary): string {
  const { changes, breaking, different, alone, same, skipped, listed } = summary;
  const equal = changes + different + alone === 0;
  if (equal && listed + same === 0) return `Nothing could be compared: 0 calls the same, ${skipped} skipped.`;
  const parts = [
    equal && offersText(summary),
    changes > 0 && `${plural(changes, 'change')} of the server${breaking > 0 ? `, ${breaking} breaking` : ''}`,
    different > 0 && `${plural(different, 'call')} answered otherwise`,
    alone > 0 && `${plural(alone, 'call')} on one side only`,
    different + alone + same + skipped === 0 ? 'no calls to compare' : `${plural(same, 'call')} the same`,
    skipped > 0 && `${skipped} skipped`,
  ];
  return `${equal ? 'No difference' : 'Different'}: ${parts.filter(Boolean).join(', ')}.`;
}

function offersText({ listed, unlisted }: Summary): string {
  if (unlisted === 0) return 'the server offers the same';
  return `what the server offers was ${listed === 0 ? 'not compared' : 'compared in part'}`;
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
