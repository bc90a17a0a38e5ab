import type { ExtraPattern, Finding, Findings } from '@/lib/redact/finding';
import type { Redaction } from '@/lib/redact/redaction';
import { type Decision, RULES } from '@/lib/redact/rules';
import type { ShareReview } from '@/lib/redact/share-review';
import type { TellingFact } from '@/lib/sharing/telling-facts';
import { LIMITS } from '@/lib/wire/limits';
import { usage } from '../../headless/exit-code';
import { table } from '../../headless/table';
import type { FileRequest } from '../file-request';

/** What the command line decided about what was found. */
export interface ShareChoices {
  decisionOf(finding: Finding): Decision;
  /** Throws a Failure for patterns that can't be used. */
  redaction(review: ShareReview): Redaction;
}

/** Reads `--keep` and `--mask`. Throws Stop for what makes no sense. */
export function readChoices({ given }: FileRequest, { list }: Findings): ShareChoices {
  const kept = new Set<string>();
  for (const word of given.get('keep') ?? []) {
    const found = /^\d+$/.test(word)
      ? list.slice(Number(word) - 1, Number(word))
      : list.filter(({ rule }) => rule === word);
    if (found.length === 0 && !Object.hasOwn(RULES, word)) {
      throw usage(`\`--keep ${word}\` names nothing that was found: give a number or a rule of \`--review\`.`);
    }
    for (const { id } of found) kept.add(id);
  }
  const decisionOf = ({ id, kind, decision }: Finding): Decision =>
    kind === 'secret' && kept.has(id) ? 'keep' : decision;
  const decisions = new Map(list.map((finding) => [finding.id, decisionOf(finding)]));
  const patterns = (given.get('mask') ?? []).map(patternOf);
  return {
    decisionOf,
    redaction: (review) => review.redaction({ decisions, patterns }),
  };
}

/** `/…/` is a regular expression, anything else is meant as it stands. */
function patternOf(text: string): ExtraPattern {
  const [, regex] = /^\/(.+)\/$/s.exec(text) ?? [];
  return regex === undefined ? { literal: text } : { regex };
}

const HEADINGS = ['', 'WHAT IS DONE', 'HOW SURE', 'RULE', 'VALUE', 'TIMES', 'WHERE'];

/** What was found, as a table for people: what matters most first. */
export function reviewText(
  { list, unlisted }: Findings,
  { decisionOf }: ShareChoices,
  width: number | undefined,
): string {
  if (list.length === 0) return 'Nothing was found that looks like a secret.';
  const rows = list.map((finding, index) => [
    String(index + 1),
    finding.kind === 'masked' ? 'masked before' : decisionOf(finding),
    finding.rank,
    finding.rule,
    finding.sample,
    String(finding.count),
    finding.places.map(({ seq, path }) => [seq > 0 ? `#${seq}` : 'about', path].filter(Boolean).join(' ')).join(', '),
  ]);
  const more =
    unlisted > 0
      ? `\n\n${unlisted} more are treated as their rules say; only the newest ${LIMITS.redactedValues} of them are masked where they are repeated, too.`
      : '';
  return `${table(HEADINGS, rows, width)}${more}`;
}

/** What leaves besides, and is no secret; '' if there is nothing. */
export function factsText(facts: readonly TellingFact[]): string {
  if (facts.length === 0) return '';
  const rows = facts.map(({ what, value, seq }) => `#${seq} ${what}: ${value.slice(0, FACT_CHARS)}`);
  return `\n\nKept as well, unless --mask names it:\n${rows.join('\n')}`;
}

/** Of what a fact says, for a terminal. */
const FACT_CHARS = 200;
