import { timeRangeOf } from '@/components/log/timeline/time-range';
import { Button, Segmented } from '@/components/ui/button';
import { Checkbox, TextInput } from '@/components/ui/inputs';
import type { FrameSelection } from '@/lib/sharing/selection';
import type { Log } from '@/lib/store/log';
import { formatCount } from '@/lib/wire/format';
import type { Channel } from '@/lib/wire/frame';

/** The user's choice of frames. */
export interface ChosenFrames {
  readonly range: 'all' | 'part';
  /** As typed, for `part`. */
  readonly from: string;
  readonly to: string;
  readonly without: readonly Channel[];
}

export const ALL_FRAMES: ChosenFrames = { range: 'all', from: '1', to: '', without: [] };

/** Frames before and after a message that are usually enough to understand it. */
const AROUND = 20;

/** Returns the selection. An end that is not a number stays open. */
export function selectionOf(log: Log, { range, from, to, without }: ChosenFrames): FrameSelection {
  if (range === 'all') return { without };
  const [first, last] = [numberOf(from, log.size), numberOf(to, log.size)];
  return { without, ...(first !== undefined && { from: first }), ...(last !== undefined && { to: last }) };
}

function numberOf(text: string, most: number): number | undefined {
  const number = /^\d{1,15}$/.test(text.trim()) ? Number(text) : 0;
  return number >= 1 ? Math.min(number, most) : undefined;
}

/** Returns the frames around a message, with its whole exchange. */
export function framesAround(log: Log, seq: number): Pick<ChosenFrames, 'from' | 'to'> {
  const { peer = seq } = log.row(seq - 1);
  const ends = [Math.min(seq, peer) - AROUND, Math.max(seq, peer) + AROUND];
  return { from: String(Math.max(1, ends[0]!)), to: String(Math.min(log.size, ends[1]!)) };
}

/** Returns the frames in the filter's time range; undefined without one, or if it is empty. */
export function framesInTimeRange(log: Log, filter: string): Pick<ChosenFrames, 'from' | 'to'> | undefined {
  const range = timeRangeOf(filter);
  if (!range) return undefined;
  const first = firstAfter(log, range.from ?? 0);
  const end = range.to === undefined ? log.size + 1 : firstAfter(log, range.to + 1);
  return first < end ? { from: String(first), to: String(end - 1) } : undefined;
}

/** Returns the seq of the first frame at this time (µs) or later. Times never decrease. */
function firstAfter(log: Log, time: number): number {
  let [low, high] = [0, log.size];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (log.columns.time(middle) < time) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}

const RANGES = { 'All frames': 'all', 'A range': 'part' } as const;
const WITHOUT: readonly (readonly [Channel, string])[] = [
  ['stderr', 'Leave out stderr'],
  ['http', 'Leave out HTTP'],
  ['otel', 'Leave out telemetry'],
];

/** Chooses which frames are shared. */
export function FrameFields({
  log,
  chosen,
  selected,
  filter,
  hasHttp,
  onChosen,
}: {
  readonly log: Log;
  readonly chosen: ChosenFrames;
  /** seq of the message that is selected in the log. */
  readonly selected: number | undefined;
  readonly filter: string;
  /** The log has HTTP frames. */
  readonly hasHttp: boolean;
  readonly onChosen: (chosen: ChosenFrames) => void;
}) {
  const { range, from, to, without } = chosen;
  const inTime = framesInTimeRange(log, filter);
  const part = (ends: Pick<ChosenFrames, 'from' | 'to'>) => onChosen({ ...chosen, range: 'part', ...ends });
  const names = Object.keys(RANGES) as (keyof typeof RANGES)[];
  const has = (channel: Channel) => (channel === 'otel' ? log.state.telemetry > 0 : channel !== 'http' || hasHttp);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <Segmented
        label="Frames to share"
        names={names}
        chosen={names.find((name) => RANGES[name] === range)!}
        onChoose={(name) => onChosen({ ...chosen, range: RANGES[name] })}
      />
      {range === 'part' && (
        <span className="inline-flex flex-wrap items-center gap-1.5">
          #
          <span className="w-20">
            <TextInput
              aria-label="From frame"
              value={from}
              inputMode="numeric"
              onChange={(value) => part({ from: value, to })}
            />
          </span>
          to #
          <span className="w-20">
            <TextInput
              aria-label="To frame"
              value={to}
              inputMode="numeric"
              placeholder={formatCount(log.size)}
              onChange={(value) => part({ from, to: value })}
            />
          </span>
          {selected !== undefined && selected <= log.size && (
            <Button size="small" onClick={() => part(framesAround(log, selected))}>
              Around #{selected}
            </Button>
          )}
          {inTime && (
            <Button size="small" onClick={() => part(inTime)}>
              Timeline range
            </Button>
          )}
        </span>
      )}
      {range === 'part' && (
        <span className="text-muted">Frames that complete the handshake, lists and exchanges are included.</span>
      )}
      {WITHOUT.filter(([channel]) => has(channel)).map(([channel, label]) => (
        <Checkbox
          key={channel}
          label={label}
          checked={without.includes(channel)}
          onChange={(out) =>
            onChosen({ ...chosen, without: out ? [...without, channel] : without.filter((one) => one !== channel) })
          }
        />
      ))}
    </div>
  );
}
