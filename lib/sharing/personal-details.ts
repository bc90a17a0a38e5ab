import { encodeEvent, eventIn } from '@/lib/recording/lifecycle-event';
import type { ShareDecision } from '@/lib/redact/rules';
import type { Frame } from '@/lib/wire/frame';
import { MASK } from '@/lib/wire/http-frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';

/**
 * A personal detail in a recording, outside its messages. It is not a secret, and is shared unless a person decides
 * otherwise.
 */
export interface PersonalDetail {
  /** A stable id, to which decisions refer, as they do to the id of a finding. */
  readonly id: string;
  readonly kind: DetailKind;
  /** Name of the detail, for the middle of a sentence: “the working folder”. */
  readonly what: string;
  /** The value in the recording, for a person to read. Untrusted text. */
  readonly value: string;
  /** The frame that it is in. */
  readonly seq: number;
}

/** Kinds of details: names, notes, and how the server was started. */
export type DetailKind = 'name' | 'about' | 'note' | 'cwd' | 'environment';

/** Returns the details in a shared frame. Most frames have none. */
export function personalDetails(frame: Pick<Frame, 'seq' | 'channel' | 'bytes'>): readonly PersonalDetail[] {
  const { seq } = frame;
  return kindsIn(frame).flatMap(({ id, kind, event }) => {
    const value = kind.value(event);
    return isText(value) ? [{ id, kind: kind.name, what: kind.what(event), value, seq }] : [];
  });
}

/** Returns an event's bytes without these details; undefined if nothing is left. */
export function withoutDetails(
  frame: Pick<Frame, 'seq' | 'channel' | 'bytes'>,
  dropped: ReadonlySet<string>,
): Uint8Array | undefined {
  if (dropped.size === 0) return frame.bytes;
  const kinds = kindsIn(frame).filter(({ id, kind }) => dropped.has(id) || dropped.has(kindKey(kind.name)));
  if (kinds.length === 0) return frame.bytes;
  let event: LifecycleEvent | undefined = kinds[0]!.event;
  for (const { kind } of kinds) event = event && kind.without(event);
  return event && encodeEvent(event);
}

/** Returns the key of a decision about every detail of a kind that has no decision of its own, listed or not. */
export function kindKey(kind: DetailKind): string {
  return `fact:${kind}`;
}

/** Returns what happens to a detail. */
function detailDecision(
  { id, kind }: Pick<PersonalDetail, 'id' | 'kind'>,
  decisions: ReadonlyMap<string, ShareDecision>,
): ShareDecision {
  return decisions.get(id) ?? decisions.get(kindKey(kind)) ?? 'keep';
}

/** Returns the ids of details that a person leaves out, and the keys of kinds that are left out completely. */
export function droppedDetails(
  facts: readonly PersonalDetail[],
  decisions: ReadonlyMap<string, ShareDecision>,
): ReadonlySet<string> {
  const dropped = new Set<string>();
  const kept = new Set<DetailKind>();
  for (const fact of facts) {
    if (detailDecision(fact, decisions) === 'mask') dropped.add(fact.id);
    else kept.add(fact.kind);
  }
  for (const kind of KINDS) if (!kept.has(kind) && decisions.get(kindKey(kind)) === 'mask') dropped.add(kindKey(kind));
  return dropped;
}

/** Returns texts to mask wherever they are repeated. A folder also occurs in arguments and output. */
export function detailTexts(facts: readonly PersonalDetail[], dropped: ReadonlySet<string>): readonly string[] {
  return facts
    .filter(({ id, value }) => dropped.has(id) && id.endsWith(':cwd') && value.length > 2)
    .map(({ value }) => value);
}

type Start = Extract<LifecycleEvent, { event: 'start'; cwd: string }>;

/** A kind of detail: its name, its value, and the event without it; undefined if that leaves nothing. */
interface Kind<Event extends LifecycleEvent> {
  readonly name: DetailKind;
  what(event: Event): string;
  value(event: Event): unknown;
  without(event: Event): Event | undefined;
}

const ABOUT: readonly Kind<Extract<LifecycleEvent, { event: 'about' }>>[] = [
  {
    name: 'name',
    what: () => 'the name given to the recording',
    value: ({ name }) => name,
    without: (event) => ({ ...event, name: '' }),
  },
  {
    name: 'about',
    what: () => 'the note on the recording',
    value: ({ text }) => text,
    without: (event) => ({ ...event, text: '' }),
  },
];

const NOTE: readonly Kind<Extract<LifecycleEvent, { event: 'note' }>>[] = [
  { name: 'note', what: () => 'a note', value: ({ text }) => text, without: () => undefined },
];

const START: readonly Kind<Start>[] = [
  {
    name: 'cwd',
    what: () => 'the working folder',
    value: ({ cwd }) => cwd,
    without: (event) => ({ ...event, cwd: MASK }),
  },
  {
    name: 'environment',
    what: ({ environment }) => {
      const { length } = namesIn(environment);
      return length === 1 ? 'the name of 1 environment variable' : `the names of ${length} environment variables`;
    },
    value: ({ environment }) => namesIn(environment).join(', '),
    without: (event) => ({ ...event, environment: { ...event.environment, inherited: [], added: [] } }),
  },
];

const KINDS: readonly DetailKind[] = [...ABOUT, ...NOTE, ...START].map(({ name }) => name);

function kindsIn(frame: Pick<Frame, 'seq' | 'channel' | 'bytes'>) {
  const event = eventIn(frame);
  if (!event) return [];
  return kindsOf(event).map((kind) => ({ id: `fact:${frame.seq}:${kind.name}`, kind, event }));
}

function kindsOf(event: LifecycleEvent): readonly Kind<LifecycleEvent>[] {
  if (event.event === 'about') return ABOUT;
  if (event.event === 'note') return NOTE;
  return isStart(event) ? START : [];
}

function isStart(event: LifecycleEvent): event is Start {
  return event.event === 'start' && 'cwd' in event;
}

/** The recording is untrusted. */
function namesIn(environment: unknown): readonly string[] {
  const { inherited, added } = (environment ?? {}) as { readonly inherited?: unknown; readonly added?: unknown };
  return [inherited, added].flatMap((list) => (Array.isArray(list) ? list.filter(isText) : []));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
