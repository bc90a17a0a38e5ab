import { lifecycleEventOf } from '@/lib/recording/lifecycle-event';
import type { Decision } from '@/lib/redact/rules';
import type { Frame } from '@/lib/wire/frame';
import { MASK } from '@/lib/wire/http-frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';

/** What leaves with a recording besides what was said: no secret, but the author's own. It leaves unless a person decides otherwise. */
export interface PersonalDetail {
  /** Stable; what is decided about it is kept by this, as about a finding. */
  readonly id: string;
  /** For the middle of a sentence: “the working folder”. */
  readonly what: string;
  /** As it stands in the recording, for a person to read; hostile text. */
  readonly value: string;
  /** Frame that it is in. */
  readonly seq: number;
}

type Start = Extract<LifecycleEvent, { event: 'start'; cwd: string }>;

/** A kind of fact: what it is called, what it says, and its event without it; undefined for an event that says nothing then. */
interface Kind<Event extends LifecycleEvent> {
  readonly name: string;
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
    what: ({ environment }) => `the names of ${namesIn(environment).length} environment variables`,
    value: ({ environment }) => namesIn(environment).join(', '),
    without: (event) => ({ ...event, environment: { ...event.environment, inherited: [], added: [] } }),
  },
];

/** Of a frame that leaves; most have none. */
export function personalDetails(frame: Pick<Frame, 'seq' | 'channel' | 'bytes'>): readonly PersonalDetail[] {
  const { seq } = frame;
  return kindsIn(frame).flatMap(({ id, kind, event }) => {
    const value = kind.value(event);
    return isText(value) ? [{ id, what: kind.what(event), value, seq }] : [];
  });
}

/** The bytes of a frame without those facts; undefined if nothing is left of it. */
export function withoutDetails(
  frame: Pick<Frame, 'seq' | 'channel' | 'bytes'>,
  dropped: ReadonlySet<string>,
): Uint8Array | undefined {
  if (dropped.size === 0 || frame.channel !== 'lifecycle') return frame.bytes;
  const kinds = kindsIn(frame).filter(({ id }) => dropped.has(id));
  if (kinds.length === 0) return frame.bytes;
  let event: LifecycleEvent | undefined = kinds[0]!.event;
  for (const { kind } of kinds) event = event && kind.without(event);
  return event && new TextEncoder().encode(JSON.stringify(event));
}

/** The ids of those that a person wants out. */
export function droppedDetails(
  facts: readonly PersonalDetail[],
  decisions: ReadonlyMap<string, Decision>,
): ReadonlySet<string> {
  return new Set(facts.map(({ id }) => id).filter((id) => decisions.get(id) === 'mask'));
}

/** Text that goes by value as well, wherever it stands: a folder is in arguments and in what is printed. */
export function detailTexts(facts: readonly PersonalDetail[], dropped: ReadonlySet<string>): readonly string[] {
  return facts
    .filter(({ id, value }) => dropped.has(id) && id.endsWith(':cwd') && value.length > 2)
    .map(({ value }) => value);
}

function kindsIn({ seq, channel, bytes }: Pick<Frame, 'seq' | 'channel' | 'bytes'>) {
  const event = channel === 'lifecycle' ? lifecycleEventOf(bytes) : undefined;
  if (!event) return [];
  return kindsOf(event).map((kind) => ({ id: `fact:${seq}:${kind.name}`, kind, event }));
}

function kindsOf(event: LifecycleEvent): readonly Kind<LifecycleEvent>[] {
  if (event.event === 'about') return ABOUT;
  if (event.event === 'note') return NOTE;
  return isStart(event) ? START : [];
}

function isStart(event: LifecycleEvent): event is Start {
  return event.event === 'start' && 'cwd' in event;
}

/** Whoever made the recording may have written anything. */
function namesIn(environment: unknown): readonly string[] {
  const { inherited, added } = (environment ?? {}) as { readonly inherited?: unknown; readonly added?: unknown };
  return [inherited, added].flatMap((list) => (Array.isArray(list) ? list.filter(isText) : []));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
