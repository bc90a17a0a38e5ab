import type { Failure } from '@/lib/wire/lifecycle';
import type { TimeLimit } from '@/lib/wire/time-limit';
import type { RuleId, SecretRank, ShareDecision } from './rules';

/** A place of a finding. */
export interface FindingPlace {
  /** Number of the frame. */
  readonly seq: number;
  readonly channel: string;
  /** Path within the frame: `params.arguments.apiKey`; '' for text that is not JSON. Untrusted text. */
  readonly path: string;
}

/** One value that a person decides on before sharing. */
export interface SecretFinding {
  /** Stable within a review. */
  readonly id: string;
  /**
   * `masked`: removed while recording, so there is nothing to decide. `secret`: present in the frames, and a person
   * chooses what happens to it.
   */
  readonly kind: 'masked' | 'secret';
  /** Id of the rule; '' for values masked as `•••`. */
  readonly rule: RuleId | '';
  /** A label for the middle of a sentence, such as “GitHub token”. */
  readonly label: string;
  readonly rank: SecretRank;
  /** Applies unless the person decides otherwise. */
  readonly decision: ShareDecision;
  /**
   * Both ends of the value, and its length in characters. For a masked value, the placeholder and 0. Untrusted text.
   */
  readonly sample: string;
  readonly length: number;
  /** Occurrences in all frames. Those before the first place that revealed the value are masked but not counted. */
  readonly count: number;
  /** The first places, up to a limit. */
  readonly places: readonly FindingPlace[];
  /** Known from the environment, a header or OAuth: a policy can't keep it. */
  readonly fixed: boolean;
}

/** The findings of one rule at one kind of place, for which a person makes one choice. */
export interface FindingSet {
  /** See {@link groupKey}. */
  readonly key: string;
  readonly kind: SecretFinding['kind'];
  readonly rule: SecretFinding['rule'];
  readonly rank: SecretRank;
  readonly place: string;
  /** At least one. */
  readonly findings: readonly SecretFinding[];
}

/** Groups findings, which keep their order. */
export function setsOf(list: readonly SecretFinding[]): readonly FindingSet[] {
  const sets = new Map<string, FindingSet & { readonly findings: SecretFinding[] }>();
  for (const finding of list) {
    const { kind, rule, rank, places } = finding;
    const key = groupKey(finding);
    const set = sets.get(`${kind} ${key}`);
    if (set) set.findings.push(finding);
    else sets.set(`${kind} ${key}`, { key, kind, rule, rank, place: placeName(places), findings: [finding] });
  }
  return [...sets.values()];
}

/** The findings of a review, most important first. */
export interface Findings {
  readonly list: readonly SecretFinding[];
  /**
   * Occurrences without a finding of their own because there were too many. The decision about their rule applies, or
   * its default.
   */
  readonly unlisted: number;
  /** Values that are not looked for where they are repeated, because there were too many. */
  readonly unchecked: number;
}

/** Returns the key of a decision about every value of a rule that has no decision of its own, listed or not. */
export function ruleKey(rule: SecretFinding['rule']): string {
  return `rule:${rule}`;
}

/** Returns the key of a decision about a group: all values of a rule at one kind of place. */
function groupKey({ rule, places }: Pick<SecretFinding, 'rule' | 'places'>): string {
  return `${ruleKey(rule)} ${placeName(places)}`;
}

/**
 * Returns the kind of the first place: the path without numbers and ids, or the channel of other text. Untrusted text.
 */
function placeName([place]: SecretFinding['places']): string {
  if (!place) return '';
  const path = place.path.replace(/\[\d+\]/g, '[]').replace(/[^.[\]"]*\d{3}[^.[\]"]*/g, '*');
  return path === '' ? place.channel : path;
}

/** Returns what happens to a finding. */
export function decisionFor(
  { id, rule, places, decision }: Pick<SecretFinding, 'id' | 'rule' | 'places' | 'decision'>,
  decisions: ReadonlyMap<string, ShareDecision>,
): ShareDecision {
  return decisions.get(id) ?? decisions.get(groupKey({ rule, places })) ?? decisions.get(ruleKey(rule)) ?? decision;
}

/** A text to mask, in any form (plain, JSON, URL, base64), or a regular expression. */
export type ExtraPattern = { readonly literal: string } | { readonly regex: string };

/** A person's decisions. */
export interface Choices {
  /** By finding id, {@link groupKey} or {@link ruleKey}. Everything else uses its own `decision`. */
  readonly decisions?: ReadonlyMap<string, ShareDecision>;
  readonly patterns?: readonly ExtraPattern[];
  /** Stops patterns that take too long. Absent in a page, which terminates its Worker. */
  readonly within?: TimeLimit;
}

/**
 * A pattern that cannot be used. Codes: `pattern-too-short`, `pattern-too-long`, `pattern-not-regex`,
 * `too-many-patterns`, `pattern-too-slow`.
 */
export class PatternError extends Error implements Failure {
  readonly code: string;
  readonly advice: string;

  constructor(code: string, message: string, advice: string) {
    super(message);
    this.name = 'PatternError';
    this.code = code;
    this.advice = advice;
  }
}
