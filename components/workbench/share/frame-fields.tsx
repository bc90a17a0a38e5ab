import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { formatCount } from '@/components/ui/format';
import { Segmented } from '@/components/ui/segmented';
import { TextInput } from '@/components/ui/text-input';
import type { Log } from '@/lib/store/log';
import type { Channel } from '@/lib/wire/frame';
import { around, type Chosen, inTimeRange } from './chosen-frames';

const RANGES = { 'All frames': 'all', 'Some of them': 'part' } as const;
const WITHOUT: readonly (readonly [Channel, string])[] = [
  ['stderr', 'Leave out stderr'],
  ['http', 'Leave out HTTP'],
];

/** Which frames leave. */
export function FrameFields({
  log,
  chosen,
  selected,
  filter,
  hasHttp,
  onChosen,
}: {
  readonly log: Log;
  readonly chosen: Chosen;
  /** seq of the message that is selected in the log. */
  readonly selected: number | undefined;
  readonly filter: string;
  /** Something went over HTTP. */
  readonly hasHttp: boolean;
  readonly onChosen: (chosen: Chosen) => void;
}) {
  const { range, from, to, without } = chosen;
  const inTime = inTimeRange(log, filter);
  const part = (ends: Pick<Chosen, 'from' | 'to'>) => onChosen({ ...chosen, range: 'part', ...ends });
  const names = Object.keys(RANGES) as (keyof typeof RANGES)[];
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <Segmented
        label="Frames that leave"
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
            <Button size="small" onClick={() => part(around(log, selected))}>
              Around #{selected}
            </Button>
          )}
          {inTime && (
            <Button size="small" onClick={() => part(inTime)}>
              As the timeline shows
            </Button>
          )}
        </span>
      )}
      {range === 'part' && (
        <span className="text-muted">The handshake, lists, and exchanges at the edges leave as well.</span>
      )}
      {WITHOUT.filter(([channel]) => channel !== 'http' || hasHttp).map(([channel, label]) => (
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
