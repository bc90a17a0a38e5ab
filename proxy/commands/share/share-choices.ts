import { patternFinder } from '@/lib/redact/extra-patterns';
import {
  type ExtraPattern,
  type FindingSet,
  type Findings,
  ruleKey,
  type SecretFinding,
  setsOf,
} from '@/lib/redact/findings';
import { countPatternMatches, type Redaction } from '@/lib/redact/redaction';
import { type RuleId, SECRET_RULES, type ShareDecision } from '@/lib/redact/rules';
import type { ShareReview } from '@/lib/redact/share-review';
import { detailTexts, type PersonalDetail } from '@/lib/sharing/personal-details';
import { countOf, formatCount } from '@/lib/wire/format';
import type { Frame } from '@/lib/wire/frame';
import { usageError } from '@/proxy/cli/exit-code';
import type { CommandRequest } from '@/proxy/cli/grammar';
import { fitText, table } from '@/proxy/cli/table';
import { runWithin } from '../shared/time-limit';
import type { PolicyEntry, SharePolicy } from './share-policy';

/** The decisions about findings. */
interface ShareChoices {
  decisionOf(finding: SecretFinding): ShareDecision;
  /** Ids of facts to leave out. */
  readonly dropped: ReadonlySet<string>;
  /** Patterns of `--mask` and the policy, with their text as written. */
  readonly patterns: readonly { readonly text: string; readonly pattern: ExtraPattern }[];
  /** Values that the policy keeps. */
  readonly keptByPolicy: readonly SecretFinding[];
  /** Values that nobody decided on, and that are possibly secret. */
  readonly open: readonly SecretFinding[];
  /** Throws a Failure for unusable patterns. */
  redaction(review: ShareReview): Redaction;
}

/**
 * Reads `--keep` and `--mask`, and then the policy for what they leave open. A number is a row of the review: groups of
 * findings first, then facts. Throws an ExitError, or a Failure for unusable patterns.
 */
export function readChoices(
  { given }: CommandRequest,
  review: ShareReview,
  facts: readonly PersonalDetail[],
  policy: Pick<SharePolicy, 'mask' | 'keep'> = { mask: [], keep: [] },
): ShareChoices {
  const { list } = review.findings();
  const sets = setsOf(list);
  const idsOf = (word: string, option: string): readonly string[] | undefined => {
    if (/^[1-9]\d{0,5}$/.test(word)) {
      const set = sets[Number(word) - 1];
      if (set) return set.findings.map(({ id }) => id);
      const fact = facts[Number(word) - 1 - sets.length];
      if (fact) return [fact.id];
      if (option === 'keep') throw nothing(word);
      return undefined;
    }
    return Object.hasOwn(SECRET_RULES, word) ? list.filter(({ rule }) => rule === word).map(({ id }) => id) : undefined;
  };
  const kept = new Set<string>();
  for (const word of given.get('keep') ?? []) {
    const ids = idsOf(word, 'keep');
    if (ids === undefined) throw nothing(word);
    for (const id of ids) kept.add(id);
  }
  // `strict` masks nothing: it refuses what is left undecided.
  const words = (given.get('mask') ?? []).filter((word) => word !== 'strict');
  const masked = new Set(words.flatMap((word) => idsOf(word, 'mask') ?? []).filter((id) => !kept.has(id)));
  const decided = (id: string) => kept.has(id) || masked.has(id);
  const isRule = (word: string) => Object.hasOwn(SECRET_RULES, word);
  const ofPolicy = (entries: readonly PolicyEntry[]) =>
    new Set([
      ...list.filter(({ rule }) => entries.includes(rule)).map(({ id }) => id),
      ...setsAt(sets, entries).flatMap(({ findings }) => findings.map(({ id }) => id)),
      ...review.idsMatching(
        wordsOf(entries)
          .filter((entry) => !isRule(entry))
          .map(patternOf),
        runWithin,
      ),
    ]);
  const [maskedByPolicy, keptByPolicy] = [ofPolicy(policy.mask), ofPolicy(policy.keep)];
  const byPolicy = list.filter(
    ({ id, kind, fixed }) =>
      kind === 'secret' && !fixed && !decided(id) && keptByPolicy.has(id) && !maskedByPolicy.has(id),
  );
  for (const { id } of byPolicy) kept.add(id);
  for (const id of maskedByPolicy) if (!kept.has(id)) masked.add(id);
  const decisionOf = ({ id, kind, decision }: SecretFinding): ShareDecision =>
    kind !== 'secret' ? decision : kept.has(id) ? 'keep' : masked.has(id) ? 'mask' : decision;
  // A rule that is masked also applies to values without a row.
  const masking = [...words, ...wordsOf(policy.mask)];
  const rules = masking.filter(isRule).map((rule) => [ruleKey(rule as RuleId), 'mask'] as const);
  const groups = setsAt(sets, policy.mask).map(({ key }) => [key, 'mask'] as const);
  const decisions = new Map<string, ShareDecision>([
    ...rules,
    ...groups,
    ...list.map((one) => [one.id, decisionOf(one)] as const),
  ]);
  const dropped = new Set(facts.map(({ id }) => id).filter((id) => masked.has(id)));
  const patterns = masking
    .filter((word) => idsOf(word, 'mask') === undefined)
    .map((text) => ({ text, pattern: patternOf(text) }));
  const all = [
    ...patterns.map(({ pattern }) => pattern),
    ...detailTexts(facts, dropped).map((literal) => ({ literal })),
  ];
  return {
    decisionOf,
    dropped,
    patterns,
    keptByPolicy: byPolicy,
    open: list.filter((one) => one.kind === 'secret' && !decided(one.id) && decisionOf(one) === 'keep'),
    redaction: (reviewed) => reviewed.createRedaction({ decisions, patterns: all, within: runWithin }),
  };
}

function wordsOf(entries: readonly PolicyEntry[]): readonly string[] {
  return entries.filter((entry) => typeof entry === 'string');
}

/** Returns the groups of findings at the places that a policy names. */
function setsAt(sets: readonly FindingSet[], entries: readonly PolicyEntry[]): readonly FindingSet[] {
  const places = entries.flatMap((entry) => (typeof entry === 'string' ? [] : [entry.at]));
  return sets.filter(({ place }) => places.includes(place));
}

function nothing(word: string): Error {
  return usageError(`\`--keep ${word}\` names nothing that was found: give a number or a rule of \`--review\`.`);
}

/** Reads a pattern: `/…/` is a regular expression, anything else literal text. */
function patternOf(text: string): ExtraPattern {
  const [, regex] = /^\/(.+)\/$/s.exec(text) ?? [];
  return regex === undefined ? { literal: text } : { regex };
}

/** The same words as on the page, except for the rule: the page shows its label, but `--keep` takes its id. */
const HEADINGS = ['', 'MASK', 'RULE', 'CONFIDENCE', 'VALUE', 'COUNT', 'WHERE'];

/** Most values and frames that a row names. */
const NAMED_VALUES = 3;
const NAMED_FRAMES = 5;

/**
 * Formats the findings as a table, a row for each kind and place, the most important first. `only`: the findings to
 * show, with the numbers that they have among all.
 */
export function reviewTable(
  { list, ...counts }: Findings,
  { decisionOf }: Pick<ShareChoices, 'decisionOf'>,
  width: number | undefined,
  only: readonly SecretFinding[] = list,
): string {
  if (list.length === 0) return 'Nothing looks like a secret.';
  const shown = new Set(only.map(({ id }) => id));
  const rows = setsOf(list).flatMap(({ kind, rule, rank, place, findings: all }, index) => {
    const findings = all.filter(({ id }) => shown.has(id));
    if (findings.length === 0) return [];
    const decisions = new Set(findings.map(decisionOf));
    const seqs = [...new Set(findings.flatMap(({ places }) => places.map(({ seq }) => seq)))];
    const row = [
      String(index + 1),
      kind === 'masked' ? 'masked' : decisions.size > 1 ? 'some' : [...decisions].join(),
      rule,
      kind === 'masked' ? '' : rank,
      namesOf(
        findings.map(({ sample }) => sample),
        NAMED_VALUES,
      ),
      String(findings.reduce((sum, { count }) => sum + count, 0)),
      `${namesOf(
        seqs.map((seq) => (seq > 0 ? `#${seq}` : 'about')),
        NAMED_FRAMES,
      )} ${place}`,
    ];
    return [row];
  });
  return `${table(HEADINGS, rows, width)}${['', ...uncheckedTexts(counts)].join('\n\n')}`;
}

/** Returns the findings for programs: a row for each kind and place, with the numbers that `--keep` takes. */
export function findingsJson({ list }: Findings, { decisionOf }: Pick<ShareChoices, 'decisionOf'>): readonly object[] {
  return setsOf(list).map(({ kind, rule, rank, place, findings }, index) => ({
    row: index + 1,
    kind,
    rule,
    confidence: rank,
    place,
    decisions: [...new Set(findings.map(decisionOf))],
    samples: findings.slice(0, NAMED_VALUES).map(({ sample }) => sample),
    count: findings.reduce((sum, { count }) => sum + count, 0),
  }));
}

function namesOf(names: readonly string[], most: number): string {
  const left = names.length - most;
  return names.slice(0, most).join(', ') + (left > 0 ? ` and ${formatCount(left)} more` : '');
}

/** Says what could not be listed or checked. */
export function uncheckedTexts({ unlisted, unchecked }: Omit<Findings, 'list'>): readonly string[] {
  return [
    ...(unlisted > 0
      ? [`${countOf(unlisted, 'more place')} could not be listed, and follow the rules of their kinds.`]
      : []),
    ...(unchecked > 0
      ? [`${countOf(unchecked, 'value')} could not be looked for elsewhere, so repeats may stay. Share fewer frames.`]
      : []),
  ];
}

/** Names what a policy keeps, a line for each kind and place. */
export function policyText(file: string, kept: readonly SecretFinding[]): string {
  const lines = setsOf(kept).map(
    ({ rule, place, findings }) =>
      `  ${rule}: ${namesOf(
        findings.map(({ sample }) => sample),
        NAMED_VALUES,
      )} in ${place}`,
  );
  return [`${file} keeps ${countOf(kept.length, 'value')}:`, ...lines].join('\n');
}

/** Formats the facts that are shared as well, numbered after the findings; '' without any. */
export function sharedFactsText(
  facts: readonly PersonalDetail[],
  findings: number,
  dropped: ReadonlySet<string>,
): string {
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
    for await (const { bytes } of frames()) places += countPatternMatches(finder, bytes, runWithin);
    lines.push(`${text}: ${countOf(places, 'place')}`);
  }
  return lines.length === 0 ? '' : `\n\nPatterns of --mask:\n${lines.join('\n')}`;
}

/** Most terminal columns for the value of a fact. */
const FACT_COLUMNS = 200;
