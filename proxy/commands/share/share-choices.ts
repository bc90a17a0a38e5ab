import { patternFinder } from '@/lib/redact/extra-patterns';
import type { ExtraPattern, Finding, Findings } from '@/lib/redact/findings';
import { countPatternMatches, type Redaction } from '@/lib/redact/redaction';
import { type Decision, RULES } from '@/lib/redact/rules';
import type { ShareReview } from '@/lib/redact/share-review';
import { detailTexts, type PersonalDetail } from '@/lib/sharing/personal-details';
import { countOf, formatCount } from '@/lib/wire/format';
import type { Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { usageError } from '@/proxy/cli/exit-code';
import type { CommandRequest } from '@/proxy/cli/grammar';
import { fitText, table } from '@/proxy/cli/table';

/** The person’s decisions about findings. */
interface ShareChoices {
  decisionOf(finding: Finding): Decision;
  /** Ids of facts to leave out. */
  readonly dropped: ReadonlySet<string>;
  /** Patterns of `--mask`, with their text as written. */
  readonly patterns: readonly { readonly text: string; readonly pattern: ExtraPattern }[];
  /** Throws a Failure for unusable patterns. */
  redaction(review: ShareReview): Redaction;
}

/** Reads `--keep` and `--mask`. A number is a row of the review: findings first, then facts. Throws an ExitError. */
export function readChoices(
  { given }: CommandRequest,
  { list }: Findings,
  facts: readonly PersonalDetail[],
): ShareChoices {
  const rows = [...list.map(({ id }) => id), ...facts.map(({ id }) => id)];
  const rowOf = (word: string): string | undefined =>
    /^[1-9]\d{0,5}$/.test(word) ? rows[Number(word) - 1] : undefined;
  const kept = new Set<string>();
  for (const word of given.get('keep') ?? []) {
    const row = rowOf(word);
    const found = row === undefined ? list.filter(({ rule }) => rule === word).map(({ id }) => id) : [row];
    if (found.length === 0 && !Object.hasOwn(RULES, word)) {
      throw usageError(`\`--keep ${word}\` names nothing that was found: give a number or a rule of \`--review\`.`);
    }
    for (const id of found) kept.add(id);
  }
  const words = given.get('mask') ?? [];
  const masked = new Set(words.map(rowOf).filter((id) => id !== undefined && !kept.has(id)));
  const decisionOf = ({ id, kind, decision }: Finding): Decision =>
    kind !== 'secret' ? decision : kept.has(id) ? 'keep' : masked.has(id) ? 'mask' : decision;
  const decisions = new Map(list.map((finding) => [finding.id, decisionOf(finding)]));
  const dropped = new Set(facts.map(({ id }) => id).filter((id) => masked.has(id)));
  const patterns = words
    .filter((word) => rowOf(word) === undefined)
    .map((text) => ({ text, pattern: patternOf(text) }));
  const all = [
    ...patterns.map(({ pattern }) => pattern),
    ...detailTexts(facts, dropped).map((literal) => ({ literal })),
  ];
  return {
    decisionOf,
    dropped,
    patterns,
    redaction: (review) => review.createRedaction({ decisions, patterns: all }),
  };
}

/** Reads a pattern: `/…/` is a regular expression, anything else literal text. */
function patternOf(text: string): ExtraPattern {
  const [, regex] = /^\/(.+)\/$/s.exec(text) ?? [];
  return regex === undefined ? { literal: text } : { regex };
}

/** The same words as on the page, except for the rule: the page shows its label, but `--keep` takes its id. */
const HEADINGS = ['', 'MASK', 'RULE', 'CONFIDENCE', 'VALUE', 'COUNT', 'WHERE'];

/** Formats the findings as a table, the most important first. */
export function reviewText(
  { list, unlisted }: Findings,
  { decisionOf }: ShareChoices,
  width: number | undefined,
): string {
  if (list.length === 0) return 'Nothing looks like a secret.';
  const rows = list.map((finding, index) => [
    String(index + 1),
    finding.kind === 'masked' ? 'masked' : decisionOf(finding),
    finding.rule,
    finding.kind === 'masked' ? '' : finding.rank,
    finding.sample,
    String(finding.count),
    finding.places.map(({ seq, path }) => [seq > 0 ? `#${seq}` : 'about', path].filter(Boolean).join(' ')).join(', '),
  ]);
  const more =
    unlisted > 0
      ? `\n\n${formatCount(unlisted)} more are not listed and follow the default rules. Repeats are masked only for the newest ${formatCount(LIMITS.redactedValues)} values.`
      : '';
  return `${table(HEADINGS, rows, width)}${more}`;
}

/** Formats the facts that are shared as well, numbered after the findings; '' without any. */
export function factsText(facts: readonly PersonalDetail[], findings: number, dropped: ReadonlySet<string>): string {
  if (facts.length === 0) return '';
  const rows = facts.map(({ id, what, value, seq }, index) => {
    const done = dropped.has(id) ? 'mask' : 'keep';
    return `${findings + index + 1}  ${done}  #${seq} ${what}: ${fitText(value.replace(/\s+/g, ' '), FACT_COLUMNS)}`;
  });
  return `\n\nAlso shared. To mask one, give its number to --mask:\n${rows.join('\n')}`;
}

/** Counts the places of each `--mask` pattern; '' without one. */
export async function patternsText(
  { patterns }: ShareChoices,
  frames: () => AsyncIterable<Pick<Frame, 'bytes'>>,
): Promise<string> {
  const lines: string[] = [];
  for (const { text, pattern } of patterns) {
    const finder = patternFinder([pattern]);
    let places = 0;
    for await (const { bytes } of frames()) places += countPatternMatches(finder, bytes);
    lines.push(`${text}: ${countOf(places, 'place')}`);
  }
  return lines.length === 0 ? '' : `\n\nPatterns of --mask:\n${lines.join('\n')}`;
}

/** Most terminal columns for the value of a fact. */
const FACT_COLUMNS = 200;
