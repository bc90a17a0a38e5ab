import type { Pin } from '@/features/check/lib/pins/pins-file';
import { type PlayedPin, playPins } from '@/features/check/lib/pins/play-pins';
import { own } from '@/lib/json/value';
import { LISTINGS } from '@/lib/protocol/methods';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { catalogueOf, type ListName } from '@/lib/replay/compare/catalogue';
import type { Comparison } from '@/lib/replay/compare/comparison';
import type { CompareOptions } from '@/lib/replay/compare/value-diff';
import type { RecordedTraffic } from '@/lib/replay/traffic/recorded-traffic';
import { TrafficReader } from '@/lib/replay/traffic/traffic-reader';
import { declares } from '@/lib/wire/declares';
import { countOf, formatCount } from '@/lib/wire/format';
import type { Frame } from '@/lib/wire/frame';
import { runToEnd } from '@/lib/wire/in-slices';
import { isFailure, type ProtocolChoice } from '@/lib/wire/lifecycle';
import { serverLabel } from '@/lib/wire/server-label';
import { EXIT, ExitError } from '@/proxy/cli/exit-code';
import type { Status } from '@/proxy/cli/status-line';
import { KeptFrames } from '@/proxy/commands/headless/kept-frames';
import type { CommandAction, ConnectedServer } from '@/proxy/commands/headless/on-server';
import { pagesOf } from '@/proxy/commands/headless/results';
import { SettledLists } from '@/proxy/commands/headless/settled-lists';
import { compareWithStatus } from '@/proxy/commands/shared/compare-report';
import { askThrough } from '../test/pins-file';

/** One of the two things that are compared. */
export class PlayedSide {
  readonly name: string;
  /** How it is started or reached, as people may see it. */
  readonly title: string;
  /** The version that was asked for. */
  readonly protocol: ProtocolChoice;
  readonly #lists = new SettledLists();
  /** Frames until the lists are read, within bounds. */
  #kept: KeptFrames | undefined = new KeptFrames(() => {});

  constructor({ name, title, protocol }: Pick<PlayedSide, 'name' | 'title' | 'protocol'>) {
    this.name = name;
    this.title = title;
    this.protocol = protocol;
  }

  /** Sees every frame of the connection. */
  readonly onFrame: NonNullable<NonNullable<CommandAction['connect']>['onFrame']> = (frame) => {
    this.#lists.onFrame(frame);
    this.#kept?.add(frame);
  };

  /** Reads every list that the server declares. Returns the frames so far. Rejects with an ExitError. */
  async readLists({ connection, negotiated }: ConnectedServer): Promise<readonly Frame[]> {
    const declared = negotiated?.capabilities ?? {};
    const methods = LISTINGS.filter(([, { capability }]) => declares(declared, [capability]));
    await this.#lists
      .read(async () => {
        for (const [method] of methods) for await (const _ of pagesOf(connection, method));
      })
      .catch((error: unknown) => {
        throw isFailure(error)
          ? new ExitError(EXIT.noConnection, `${this.name}: ${error.message} ${error.advice}`)
          : error;
      });
    const frames = this.#kept?.frames ?? [];
    this.#kept = undefined;
    return frames;
  }
}

/** A call on both sides. */
export interface SidesCall extends Pick<PlayedPin, 'pin' | 'ends' | 'differences'> {
  /** `broken`: it failed or had no answer on B only. */
  readonly verdict: 'same' | 'changed' | 'broken' | 'skipped';
  readonly why: string | undefined;
  /** Milliseconds on A and on B. */
  readonly ms: readonly [number, number];
}

/** A side as the report describes it. */
export interface SideFacts {
  readonly name: string;
  readonly title: string;
  /** The server's own name and version; '' if it has none. */
  readonly server: string;
  readonly version: string;
  /** Entries of each list that it has. */
  readonly lists: Readonly<Partial<Record<ListName, number>>>;
}

/** How two sides differ. */
export interface SidesResult {
  readonly sides: readonly [SideFacts, SideFacts];
  /** The lists; its calls are empty. */
  readonly offers: Comparison;
  readonly calls: readonly SidesCall[];
}

/** The calls to compare, and how. */
export interface SidesPlan {
  readonly pins: readonly Pin[];
  readonly how: CompareOptions;
  readonly environment: (name: string) => string | undefined;
  /** Has the secrets of both sides. */
  readonly redactor: CaptureRedactor;
  readonly status: Status;
}

type Connected = readonly [side: PlayedSide, server: ConnectedServer];

/** Reads the lists of both sides, and plays the calls on each. Rejects with an ExitError if a server goes away. */
export async function playSides(one: Connected, other: Connected, plan: SidesPlan): Promise<SidesResult> {
  const { status, redactor, how } = plan;
  status.show('Reading the lists of both sides… Ctrl-C cancels');
  const frames = await Promise.all([one, other].map(([side, server]) => side.readLists(server)));
  // One redactor for both, so that equal values stay equal. A secret may be known only after it was sent.
  for (const frame of frames.flat()) redactor.apply(frame);
  const traffic = frames.map((each) => trafficOf(each, redactor.fork()));
  const listsHow = { mode: how.mode, normaliser: how.normaliser };
  // The servers do not differ in a version that each was asked for.
  const asked = one[0].protocol === other[0].protocol ? {} : { version: undefined };
  const [before, after] = traffic.map((each) => ({ ...each, ...asked }));
  const offers = await compareWithStatus(before!, after!, listsHow, status, []);
  const calls = await playCalls(one[1], other[1], plan);
  status.end();
  return { sides: [factsOf(one[0], traffic[0]!), factsOf(other[0], traffic[1]!)], offers, calls };
}

/** Reads frames as traffic, without secrets. */
export function trafficOf(frames: readonly Frame[], redactor: CaptureRedactor): RecordedTraffic {
  const reader = new TrafficReader();
  for (const frame of frames) reader.addFrame(redactor.apply(frame));
  return reader.traffic();
}

/** Plays all calls on A, then all on B, whose answers are compared with those of A. */
async function playCalls(one: ConnectedServer, other: ConnectedServer, plan: SidesPlan): Promise<readonly SidesCall[]> {
  const { pins, environment, redactor, status } = plan;
  const how = withoutEnvelope(plan.how, one, other);
  const { signal } = new AbortController();
  const play = async (name: string, server: ConnectedServer, expected?: readonly PlayedPin[]) => {
    const ask = askThrough(server.connection, redactor, signal);
    const played: PlayedPin[] = [];
    const answerOf = expected && ((_: Pin, index: number) => expected[index]!.answer);
    for await (const call of playPins(pins, ask, how, environment, { expected: answerOf })) {
      played.push(call);
      status.show(`${name}: ${formatCount(played.length)} of ${countOf(pins.length, 'call')}… Ctrl-C cancels`);
    }
    return played;
  };
  const before = await play('A', one);
  const after = await play('B', other, before);
  return after.map((call, at) => sidesCall(before[at]!, call));
}

function sidesCall(before: PlayedPin, after: PlayedPin): SidesCall {
  const { pin, ends, differences } = after;
  const call = { pin, ends, differences, ms: [before.ms, after.ms] as const };
  if (before.verdict === 'skipped' || after.verdict === 'skipped') {
    const [name, why] = before.verdict === 'skipped' ? ['A', before.why] : ['B', after.why];
    return { ...call, verdict: 'skipped', why: `${name}: ${why}` };
  }
  if (!before.answer) return { ...call, verdict: after.answer ? 'changed' : 'broken', why: `A: ${before.why}` };
  if (!after.answer) return { ...call, verdict: 'broken', why: `B: ${after.why}` };
  return { ...call, verdict: after.verdict === 'new' ? 'changed' : after.verdict, why: undefined };
}

/** Members that only the results of the modern era have, whatever the server answers. */
const ENVELOPE: ReadonlySet<unknown> = new Set(['_meta', 'resultType', 'ttlMs', 'cacheScope']);

/** Leaves out what differs between the eras in any answer. */
function withoutEnvelope(how: CompareOptions, one: ConnectedServer, other: ConnectedServer): CompareOptions {
  if (one.negotiated?.era === other.negotiated?.era) return how;
  return {
    ...how,
    ignores: (path) => how.ignores?.(path) === true || (path.length === 1 && ENVELOPE.has(path[0])),
  };
}

function factsOf({ name, title }: PlayedSide, traffic: RecordedTraffic): SideFacts {
  const { info, version = '', lists } = runToEnd(catalogueOf(traffic));
  const ownVersion = own(info, 'version');
  const label = [serverLabel(info), typeof ownVersion === 'string' ? ownVersion : undefined].filter(Boolean).join(' ');
  const counts = [...lists].map(([list, { items }]) => [list, items.length] as const);
  return { name, title, server: label.slice(0, 200), version, lists: Object.fromEntries(counts) };
}
