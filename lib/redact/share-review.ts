import type { Frame } from '@/lib/wire/frame';
import { byteText, byteTextOf, readableText } from './byte-text';
import { patternFinder } from './extra-patterns';
import type { Choices, Finding, Findings, Place } from './findings';
import type { Found } from './found';
import { KnownValues } from './known-values';
import { isMasked, MASKED_PATTERN, Placeholders, ruleOfPlaceholder } from './placeholders';
import { Redaction } from './redaction';
import { type Decision, type Rank, RULES, type RuleId } from './rules';
import { scanFrame } from './scan-frame';
import { isDistinctive } from './secret-values';
import { type FrameStream, longLinesOf, MultiLineSecrets } from './split-secrets';
import { scanWeakShapes } from './weak-shapes';

/** Findings per review, the characters of their values together, and places listed per finding. */
export const FINDINGS = 2000;
const FINDING_CHARACTERS = 4_000_000;
const FINDING_PLACES = 20;

/** A finding that is still being counted. */
interface OpenFinding {
  readonly id: string;
  readonly kind: Finding['kind'];
  rule: RuleId | '';
  /** Byte text. For a masked value, the placeholder. */
  readonly value: string;
  /** Certain by name or shape. */
  strong: boolean;
  count: number;
  readonly places: Place[];
}

/**
 * Goes through the frames to be shared and collects what a person has to decide on. Feed all frames to
 * {@link addFrame}, show {@link findings}, then call {@link createRedaction} with the decisions. Values stay in here. Pure and
 * synchronous; takes linear time, so a page may run it in a Worker.
 */
export class ShareReview {
  readonly #placeholders: Placeholders;
  readonly #known = new KnownValues();
  readonly #lines = new MultiLineSecrets();
  readonly #growing = new Map<string, OpenFinding>();
  #characters = 0;
  #unlisted = 0;

  /**
   * Reviews with the same `placeholders` give the same value the same id, so anyone who has them can match findings
   * across reviews.
   */
  constructor(placeholders = new Placeholders()) {
    this.#placeholders = placeholders;
  }

  /** Reviews a frame, in the recording's order. */
  addFrame({ seq, channel, direction, bytes }: Pick<Frame, 'seq' | 'channel' | 'bytes'> & FrameStream): void {
    this.#look(byteText(bytes), (path) => ({ seq, channel, path }), { channel, ...(direction && { direction }) });
  }

  /** Reviews other text that is shared: the recording's name, a note. `path` says what it is. */
  addText(text: string, path: string): void {
    this.#look(byteTextOf(text), () => ({ seq: 0, channel: 'note', path }));
  }

  #look(text: string, placed: (path: string) => Place, stream?: FrameStream): void {
    const lines = stream ? this.#lines : new MultiLineSecrets();
    const secrets: Found[] = [...lines.findContinuations(text, stream ?? {})];
    scanFrame(text, {
      weak: true,
      inText: (part, report) => {
        lines.findKnown(this.#known, part, stream ?? {}, report);
        scanWeakShapes(part, report);
        for (const { 0: taken, index } of part.matchAll(MASKED_PATTERN)) report('secret', index, index + taken.length);
      },
      found: (secret) => {
        secrets.push({ ...secret, place: once(secret.place()) });
      },
    });
    // Several rules may find the same value. The best one counts, once.
    const best = new Map<string, Found>();
    for (const secret of secrets) {
      const key = `${secret.from} ${secret.value}`;
      const other = best.get(key);
      if (!other || certainty(secret) > certainty(other)) best.set(key, secret);
    }
    for (const secret of best.values()) this.#note(secret, placed);
  }

  #note({ rule, value, weak, place }: Found, placed: (path: string) => Place): void {
    const taken = isMasked(value);
    const strong = taken || (!weak && RULES[rule].rank !== 'possible');
    if (!taken && RULES[rule].rank !== 'possible' && isDistinctive(value)) {
      for (const part of [value, ...longLinesOf(value)]) this.#known.add({ rule, value: part });
    }
    const growing = taken
      ? this.#grow('masked', ruleOfPlaceholder(value), value, strong)
      : this.#grow('secret', rule, value, strong);
    if (!growing) return;
    if (strong && !growing.strong) {
      growing.strong = true;
      growing.rule = rule;
    }
    growing.count++;
    if (growing.places.length < FINDING_PLACES) growing.places.push(placed(place()));
  }

  #grow(kind: Finding['kind'], rule: RuleId | '', value: string, strong: boolean): OpenFinding | undefined {
    const key = `${kind} ${value}`;
    let growing = this.#growing.get(key);
    if (growing) return growing;
    if (this.#growing.size >= FINDINGS || this.#characters + value.length > FINDING_CHARACTERS) {
      this.#unlisted++;
      return undefined;
    }
    const id = kind === 'masked' ? readableText(value) : this.#placeholders.placeholderFor(rule || 'secret', value);
    growing = { id, kind, rule, value, strong, count: 0, places: [] };
    this.#growing.set(key, growing);
    this.#characters += value.length;
    return growing;
  }

  /** Returns what was found so far. */
  findings(): Findings {
    const list = [...this.#growing.values()].map(shown);
    return { list: list.toSorted((a, b) => weight(a) - weight(b) || b.count - a.count), unlisted: this.#unlisted };
  }

  /** Returns what removes the values a person decided on from every frame and text. Throws {@link PatternError}. */
  createRedaction({ decisions = new Map(), patterns = [] }: Choices = {}): Redaction {
    const decided = new Map<string, Decision>();
    // The number of values is bounded already.
    const known = new KnownValues(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    const kept = new Set<string>();
    for (const growing of this.#growing.values()) {
      if (growing.kind === 'masked') continue;
      const decision = decisions.get(growing.id) ?? decisionOf(growing);
      decided.set(growing.value, decision);
      const rule = growing.rule || 'secret';
      if (decision === 'keep') for (const value of [growing.value, ...longLinesOf(growing.value)]) kept.add(value);
      if (decision === 'mask' && isDistinctive(growing.value)) {
        for (const value of [growing.value, ...longLinesOf(growing.value)]) known.add({ rule, value });
      }
    }
    // Values without a finding of their own.
    for (const unlisted of this.#known.values()) if (!kept.has(unlisted.value)) known.add(unlisted);
    return new Redaction({ decided, known, inPattern: patternFinder(patterns), placeholders: this.#placeholders });
  }
}

function certainty({ rule, weak, shape }: Found): number {
  return (RULES[rule].rank === 'possible' ? 0 : weak ? 1 : 2) + (shape ? 1 : 0);
}

function once(path: string): () => string {
  return () => path;
}

function rankOf({ rule, strong, kind }: OpenFinding): Rank {
  if (kind === 'masked' || rule === '') return 'certain';
  return strong || RULES[rule].rank === 'possible' ? RULES[rule].rank : 'likely';
}

function decisionOf({ rule }: OpenFinding): Decision {
  return rule === '' ? 'mask' : RULES[rule].decision;
}

function shown(growing: OpenFinding): Finding {
  const { id, kind, rule, value, count, places } = growing;
  const text = readableText(value);
  return {
    id,
    kind,
    rule,
    label: rule === '' ? 'masked value' : RULES[rule].label,
    rank: rankOf(growing),
    decision: decisionOf(growing),
    sample: kind === 'masked' ? text : sampleOf(text),
    length: kind === 'masked' ? 0 : text.length,
    count,
    places: [...places],
  };
}

/** Returns both ends of a value, at most a third of it. */
function sampleOf(text: string): string {
  const shownChars = Math.min(8, Math.floor(text.length / 3));
  const first = Math.ceil(shownChars / 2);
  return `${text.slice(0, first)}…${text.slice(text.length - (shownChars - first))}`;
}

const RANKS: readonly Rank[] = ['certain', 'likely', 'possible'];

function weight({ kind, rank }: Finding): number {
  return (kind === 'masked' ? RANKS.length : 0) + RANKS.indexOf(rank);
}
