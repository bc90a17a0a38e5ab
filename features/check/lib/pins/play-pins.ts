import { parseExact } from '@/lib/json/exact';
import type { CallComparison } from '@/lib/replay/compare/call-diff';
import { compareCalls } from '@/lib/replay/compare/call-diff';
import { holdsPlace, textAtPlace } from '@/lib/replay/compare/places';
import { RenamedIds } from '@/lib/replay/compare/recorded-client';
import type { CompareOptions, Difference } from '@/lib/replay/compare/value-diff';
import { hasPlaceholder } from '@/lib/replay/traffic/placeholders';
import type { RecordedCall } from '@/lib/replay/traffic/recorded-traffic';
import type { PinVerdict } from '@/lib/wire/pins';
import type { AcceptedAnswer, Pin } from './pins-file';
import { escapeReferences, type Filled, fillValues, referencesIn } from './references';

/** A pinned call that was played. */
export interface PlayedPin {
  readonly pin: Pin;
  /** Index of the call in the file. */
  readonly index: number;
  readonly verdict: PinVerdict;
  /** Why it was skipped or is broken, as a sentence; undefined for other verdicts. */
  readonly why: string | undefined;
  /** How the calls ended, if differently. */
  readonly ends: CallComparison['ends'];
  readonly differences: readonly Difference[];
  /** The answer; undefined if there is none. */
  readonly answer: AcceptedAnswer | undefined;
  /** Milliseconds from the request to the answer. */
  readonly ms: number;
}

/** Sends a request. Resolves without an answer if none came, with the reason as a sentence. Never rejects. */
export type AskServer = (
  method: string,
  params: string | undefined,
) => Promise<{ readonly answer?: AcceptedAnswer; readonly lost?: string; readonly ms: number }>;

/** The calls to play, and what to compare their answers with. */
interface PlayChoices {
  /** Indexes of the calls to play. Absent: all. */
  readonly chosen?: ReadonlySet<number>;
  /** Returns the answer to compare with. Absent: the accepted one. */
  expected?(pin: Pin, index: number): AcceptedAnswer | undefined;
}

/**
 * Plays pinned calls one after another, since later ones may use values of earlier answers. Ids that differ from those
 * in the accepted answers are replaced in later calls, too.
 */
export async function* playPins(
  pins: readonly Pin[],
  ask: AskServer,
  how: CompareOptions,
  environment: (name: string) => string | undefined,
  { chosen, expected = ({ accepted }) => accepted }: PlayChoices = {},
): AsyncGenerator<PlayedPin> {
  /** As JSON texts. */
  const values = new Map<string, string>();
  const missing = new Map<string, string>();
  const renamed = new RenamedIds();
  for (const [index, pin] of pins.entries()) {
    if (chosen && !chosen.has(index)) continue;
    // New ids are the server's text, which refers to nothing.
    const filled = fillValues(renamed.apply(pin.params ?? '', escapeReferences), values, environment);
    const why = whyNot(filled, missing);
    if (why !== undefined) {
      for (const name of pin.save.keys()) missing.set(name, `“${pin.name}” was skipped.`);
      yield { ...SKIPPED, pin, index, why };
      continue;
    }
    const { answer, lost, ms } = await ask(pin.method, pin.params === undefined ? undefined : filled.text);
    for (const [name, place] of pin.save) {
      const value = answer?.kind === 'result' ? textAtPlace(place, answer.text) : undefined;
      if (value === undefined) missing.set(name, `The answer of “${pin.name}” has no value for ${name}.`);
      else values.set(name, value);
    }
    if (pin.accepted && answer) renamed.learn(pin.accepted.text, answer.text);
    yield { pin, index, answer, ms, ...judge(pin, expected(pin, index), answer, lost, how) };
  }
}

/** Says why a call can't be sent; undefined if it can. */
function whyNot({ text, used, lacking }: Filled, missing: ReadonlyMap<string, string>): string | undefined {
  if (lacking !== undefined) return `The environment has no ${lacking}.`;
  const name = used.find((one) => missing.has(one));
  if (name !== undefined) return missing.get(name);
  return hasPlaceholder(text) ? REDACTED : undefined;
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of a pins file
const REDACTED = 'One of its arguments was redacted: write `${env:NAME}` in its place.';
const NOTHING: readonly Difference[] = [];
const SKIPPED = { verdict: 'skipped', ends: undefined, differences: NOTHING, answer: undefined, ms: 0 } as const;

type Judged = Pick<PlayedPin, 'verdict' | 'why' | 'ends' | 'differences'>;

function judge(
  pin: Pin,
  expected: AcceptedAnswer | undefined,
  answer: AcceptedAnswer | undefined,
  lost: string | undefined,
  how: CompareOptions,
): Judged {
  if (!answer) return { verdict: 'broken', why: lost ?? 'It has no answer.', ends: undefined, differences: NOTHING };
  if (!expected) return { verdict: 'new', why: undefined, ends: undefined, differences: NOTHING };
  const ignores = (path: Parameters<NonNullable<CompareOptions['ignores']>>[0]): boolean =>
    how.ignores?.(path) === true || pin.ignore.some((place) => holdsPlace(place, path));
  const { verdict, ends, differences } = compareCalls(
    { before: callOf(pin, expected), after: callOf(pin, answer) },
    { ...how, ignores },
  );
  if (verdict === 'same') return { verdict: 'same', why: undefined, ends, differences };
  const isBroken = hasSucceeded(expected) && !hasSucceeded(answer);
  return { verdict: isBroken ? 'broken' : 'changed', why: undefined, ends, differences };
}

function callOf({ method, params }: Pin, { kind, text }: AcceptedAnswer): RecordedCall {
  const nowhere = { seq: 0, time: 0, exchange: 0 };
  return {
    ...nowhere,
    kind: 'call',
    batch: false,
    id: '',
    method,
    name: undefined,
    params,
    progressToken: undefined,
    answer: { ...nowhere, kind, text, status: undefined },
    unanswered: undefined,
    during: [],
    after: [],
    continues: undefined,
  };
}

/** True for a result, except one of a tool that failed. */
export function hasSucceeded({ kind, text }: AcceptedAnswer): boolean {
  const result = kind === 'result' ? parsed(text) : undefined;
  return kind === 'result' && (result as { readonly isError?: unknown } | null)?.isError !== true;
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

/** Names of the variables of the environment that pins use. */
export function pinVariables(pins: readonly Pin[]): ReadonlySet<string> {
  return new Set(
    pins.flatMap((pin) => referencesIn(pin.params ?? '').flatMap(({ isEnv, name }) => (isEnv ? [name] : []))),
  );
}

/** Returns the values of these variables. All count as secrets, since they were kept out of the file. */
export function pinSecrets(pins: readonly Pin[], environment: (name: string) => string | undefined): readonly string[] {
  return [...pinVariables(pins)].flatMap((name) => environment(name) ?? []);
}

/** Returns the indexes of calls, and of the earlier calls whose values they use. */
export function withNeeded(pins: readonly Pin[], chosen: ReadonlySet<number>): ReadonlySet<number> {
  const needed = new Set(chosen);
  const used = new Set<string>();
  for (let index = pins.length - 1; index >= 0; index--) {
    const pin = pins[index]!;
    if ([...pin.save.keys()].some((name) => used.has(name))) needed.add(index);
    if (!needed.has(index)) continue;
    for (const { isEnv, name } of referencesIn(pin.params ?? '')) if (!isEnv) used.add(name);
  }
  return needed;
}
