import type { RuleId } from './rules';

/** A secret found in a frame. */
export interface FoundSecret {
  readonly rule: RuleId;
  /** The value with escapes decoded, as byte text. */
  readonly value: string;
  /** Offsets in the frame's bytes. */
  readonly from: number;
  readonly to: number;
  /** Only reported for review when sharing. */
  readonly weak?: boolean;
  /**
   * Quote to put around the placeholder of a number, escaped as deeply as the JSON strings around it. Undefined for
   * other values.
   */
  readonly quote?: string;
  /** Found by its shape, whatever its name. */
  readonly shape?: boolean;
  /** Returns the path for people, `params.arguments.apiKey`; '' for text that is not JSON. Call it immediately. */
  readonly place: () => string;
}

/** A secret in a text. */
export interface SecretMatch extends Pick<FoundSecret, 'rule' | 'from' | 'to' | 'weak' | 'shape'> {
  /** Absent: as it is written. */
  readonly value?: string;
  /** The password inside it. */
  readonly password?: string | undefined;
}

/** Options and receiver of a scan. */
export interface SecretScan {
  /**
   * Finds further secrets in a text and reports their offsets in it. Called for each string, each name, and each text
   * that is not JSON.
   */
  readonly inText?: (text: string, report: (rule: RuleId, from: number, to: number, value?: string) => void) => void;
  /** Whether to report names and shapes that prove nothing, too. */
  readonly weak: boolean;
  /** Called when a text was decoded: a value that becomes known later may be in it. */
  readonly decoded?: () => void;
  /** Returns the secrets in a long string that is apart from its message. */
  readonly inLong?: (bytes: Uint8Array) => readonly FoundSecret[];
  readonly found: (found: FoundSecret) => void;
}

/**
 * Returns one secret per place, in order. Drops nested secrets and joins overlapping ones. If two have the same span,
 * the one found by shape stays.
 */
export function mergeOverlaps(found: readonly FoundSecret[]): readonly FoundSecret[] {
  const ordered = found.toSorted(
    (a, b) => a.from - b.from || b.to - a.to || Number(b.shape ?? 0) - Number(a.shape ?? 0),
  );
  const kept: FoundSecret[] = [];
  for (const next of ordered) {
    const last = kept.at(-1);
    if (!last || next.from >= last.to) kept.push(next);
    else if (next.to > last.to) kept[kept.length - 1] = { ...last, to: next.to };
  }
  return kept;
}
