import type { Frame } from '@/lib/wire/frame';
import type { TimeLimit } from '@/lib/wire/time-limit';
import { byteText, decodedText } from './byte-text';
import { patternFinder, withLimit } from './extra-patterns';
import {
  type Choices,
  decisionFor,
  type ExtraPattern,
  type FindingPlace,
  type Findings,
  ruleKey,
  type SecretFinding,
} from './findings';
import type { FoundSecret } from './found-secret';
import { FrameSecrets, type ScannedFrame } from './frame-secrets';
import { KnownValues } from './known-values';
import { isMasked, masksIn, Placeholders, ruleOfPlaceholder } from './placeholders';
import { CleanFrames, Redaction } from './redaction';
import { type RuleId, SECRET_RULES, type SecretRank, type ShareDecision } from './rules';
import { isSearchable } from './values';

/** Most findings of a review. More are counted, and treated by the decision about their rule. */
const FINDINGS = 5000;
/** Most characters of all their values together. */
const FINDING_CHARACTERS = 4_000_000;
/** Most places listed per finding, and characters of each path. */
const FINDING_PLACES = 20;
const PLACE_PATH_CHARS = 500;

/** Bytes of the largest frame that is remembered as clean. What larger ones hold is mostly remembered as a string. */
const CLEAN_BYTES = 64 * 1024;

/** A finding that is still being counted. */
interface OpenFinding {
  readonly id: string;
  readonly kind: SecretFinding['kind'];
  rule: RuleId | '';
  /** Byte text. For a masked value, the placeholder. */
  readonly value: string;
  /** True if a name or shape makes the finding certain. */
  strong: boolean;
  count: number;
  readonly places: FindingPlace[];
}

/**
 * Collects the values in the frames to be shared that a person has to decide on. Feed all frames to {@link addFrame},
 * show {@link findings}, then call {@link createRedaction} with the decisions. Values stay in here. Pure and
 * synchronous; takes linear time, so a page may run it in a Worker.
 */
export class ShareReview {
  readonly #placeholders: Placeholders;
  readonly #most: number;
  readonly #known = new KnownValues();
  readonly #secrets = this.#newSecrets();
  readonly #clean = new CleanFrames();
  readonly #openFindings = new Map<string, OpenFinding>();
  #characters = 0;
  #unlisted = 0;

  /**
   * Reviews with the same `placeholders` give the same value the same id, so anyone who has them can match findings
   * across reviews. `most`: how many values get a finding.
   */
  constructor(placeholders = new Placeholders(), most = FINDINGS) {
    this.#placeholders = placeholders;
    this.#most = most;
  }

  /** Reviews a frame, in the recording's order. */
  addFrame(frame: Pick<Frame, 'seq' | 'channel'> & ScannedFrame): void {
    const { seq, channel } = frame;
    const isWhole = this.#secrets.cutOf(frame) === undefined;
    const found = this.#add(this.#secrets.find(frame, placed), (path) => ({ seq, channel, path }));
    if (found > 0 || !isWhole || frame.bytes.length > CLEAN_BYTES) return;
    if (!this.#secrets.waiting && !this.#secrets.hasDecoded) this.#clean.add(frame.bytes);
  }

  #newSecrets(): FrameSecrets {
    return new FrameSecrets({
      weak: true,
      known: this.#known,
      inText: (text, report) => {
        for (const { 0: taken, index = 0 } of masksIn(text)) report('secret', index, index + taken.length);
      },
    });
  }

  /** Adds a secret at a place of a frame, in bytes, that the recording knows because its name came later. */
  addPlace({ seq, channel, bytes }: Pick<Frame, 'seq' | 'channel' | 'bytes'>, from: number, to: number): void {
    const value = byteText(bytes.subarray(from, to));
    const secret: FoundSecret = { rule: 'late', value, from, to, place: () => '' };
    // The review of the frame may have counted the place for another reason.
    if (value !== '') this.#addSecret(secret, (path) => ({ seq, channel, path }), true);
  }

  /** Reviews other text that is shared: the recording's name, a note. `path` says what it is. */
  addText(text: string, path: string): void {
    const secrets = this.#newSecrets().find({ bytes: new TextEncoder().encode(text) }, placed);
    this.#add(secrets, () => ({ seq: 0, channel: 'note', path }));
  }

  /** Adds secrets of one text. Returns how many there are. */
  #add(secrets: readonly FoundSecret[], placed: (path: string) => FindingPlace): number {
    // Several rules may find the same value. The best one counts, once.
    const best = new Map<string, FoundSecret>();
    for (const secret of secrets) {
      const key = `${secret.from} ${secret.value}`;
      const other = best.get(key);
      if (!other || certainty(secret) > certainty(other)) best.set(key, secret);
    }
    for (const secret of best.values()) this.#addSecret(secret, placed);
    return best.size;
  }

  #addSecret(
    { rule, value, weak, place }: FoundSecret,
    placed: (path: string) => FindingPlace,
    isCounted = false,
  ): void {
    const taken = isMasked(value);
    const strong = taken || (!weak && SECRET_RULES[rule].rank !== 'possible');
    if (!taken && SECRET_RULES[rule].rank !== 'possible' && isSearchable(value)) this.#known.add({ rule, value });
    const finding = taken
      ? this.#findingOf('masked', ruleOfPlaceholder(value), value, strong)
      : this.#findingOf('secret', rule, value, strong);
    if (!finding) return;
    if (strong && !finding.strong) {
      finding.strong = true;
      finding.rule = rule;
    }
    const there = placed(place());
    if (isCounted && finding.places.some(({ seq }) => seq === there.seq)) return;
    finding.count++;
    if (finding.places.length < FINDING_PLACES) finding.places.push(there);
  }

  #findingOf(kind: SecretFinding['kind'], rule: RuleId | '', value: string, strong: boolean): OpenFinding | undefined {
    const key = `${kind} ${value}`;
    let finding = this.#openFindings.get(key);
    if (finding) return finding;
    if (this.#openFindings.size >= this.#most || this.#characters + value.length > FINDING_CHARACTERS) {
      this.#unlisted++;
      return undefined;
    }
    const id = kind === 'masked' ? decodedText(value) : this.#placeholders.placeholderFor(rule || 'secret', value);
    finding = { id, kind, rule, value, strong, count: 0, places: [] };
    this.#openFindings.set(key, finding);
    this.#characters += value.length;
    return finding;
  }

  /** Returns the findings so far. */
  findings(): Findings {
    const list = [...this.#openFindings.values()].map(toFinding);
    return {
      list: list.toSorted((a, b) => sortKey(a) - sortKey(b) || b.count - a.count),
      unlisted: this.#unlisted,
      unchecked: this.#known.forgotten,
    };
  }

  /** Returns the ids of findings that a person's patterns match somewhere. Throws {@link PatternError}. */
  idsMatching(patterns: readonly ExtraPattern[], within?: TimeLimit): ReadonlySet<string> {
    const inPattern = patternFinder(patterns);
    const ids = new Set<string>();
    withLimit(within, this.#characters, () => {
      for (const { id, value } of this.#openFindings.values()) inPattern(value, () => ids.add(id));
    });
    return ids;
  }

  /**
   * Returns a redaction that masks the values that a person decided to mask, in every frame and text. Throws {@link
   * PatternError}.
   */
  createRedaction({ decisions = new Map(), patterns = [], within }: Choices = {}): Redaction {
    const decided = new Map<string, ShareDecision>();
    const except = new Set<string>();
    for (const finding of this.#openFindings.values()) {
      if (finding.kind === 'masked') continue;
      const decision = decisionFor({ ...finding, decision: defaultDecision(finding) }, decisions);
      const { value, rule: found } = finding;
      decided.set(value, decision);
      const rule = found || 'secret';
      if (decision === 'keep') except.add(value);
      else if (isSearchable(value)) this.#known.add({ rule, value });
    }
    // Values without a finding of their own are masked with any group of their rule.
    const ofGroups = new Set([...decisions].flatMap(([key, made]) => (made === 'mask' ? [key.split(' ')[0]] : [])));
    const undecided = (rule: RuleId) =>
      decisions.get(ruleKey(rule)) ?? (ofGroups.has(ruleKey(rule)) ? 'mask' : SECRET_RULES[rule].decision);
    const inPattern = patterns.length > 0 ? patternFinder(patterns) : undefined;
    const [known, placeholders, clean] = [this.#known, this.#placeholders, this.#clean];
    return new Redaction({ decided, undecided, known, except, placeholders, clean, inPattern, within });
  }
}

function certainty({ rule, weak, shape }: FoundSecret): number {
  return (SECRET_RULES[rule].rank === 'possible' ? 0 : weak ? 1 : 2) + (shape ? 1 : 0);
}

/** Rules of values that a policy can't keep, and places of headers and variables. */
const FIXED_RULES: ReadonlySet<RuleId | ''> = new Set(['given', 'oauth', 'authorization', 'cookie', 'userinfo']);
const FIXED_PLACE = /(?:^|\.)(?:headers|rawHeaders|env|environment)(?:[.[]|$)/i;

/** Returns the secret with its path, which can only be asked for at once. */
function placed(secret: FoundSecret): FoundSecret {
  const path = secret.place();
  const text = decodedText(path.slice(0, PLACE_PATH_CHARS));
  const cut = path.length > PLACE_PATH_CHARS ? `${text}…` : text;
  return { ...secret, place: () => cut };
}

function rankOf({ rule, strong, kind }: OpenFinding): SecretRank {
  if (kind === 'masked' || rule === '') return 'certain';
  return strong || SECRET_RULES[rule].rank === 'possible' ? SECRET_RULES[rule].rank : 'likely';
}

function defaultDecision({ rule }: OpenFinding): ShareDecision {
  return rule === '' ? 'mask' : SECRET_RULES[rule].decision;
}

function toFinding(finding: OpenFinding): SecretFinding {
  const { id, kind, rule, value, count, places } = finding;
  const text = decodedText(value);
  return {
    id,
    kind,
    rule,
    label: rule === '' ? 'masked value' : SECRET_RULES[rule].label,
    rank: rankOf(finding),
    decision: defaultDecision(finding),
    sample: kind === 'masked' ? text : sampleOf(text),
    length: kind === 'masked' ? 0 : text.length,
    count,
    places: [...places],
    fixed: FIXED_RULES.has(rule) || places.some(({ path }) => FIXED_PLACE.test(path)),
  };
}

/** Returns both ends of a value, at most a third of it. */
function sampleOf(text: string): string {
  const shownChars = Math.min(8, Math.floor(text.length / 3));
  const first = Math.ceil(shownChars / 2);
  return `${text.slice(0, first)}…${text.slice(text.length - (shownChars - first))}`;
}

const RANKS: readonly SecretRank[] = ['certain', 'likely', 'possible'];

function sortKey({ kind, rank }: SecretFinding): number {
  return (kind === 'masked' ? RANKS.length : 0) + RANKS.indexOf(rank);
}
