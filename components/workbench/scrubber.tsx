import { type KeyboardEvent, useState } from 'react';
import { Button, IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Select } from '@/components/ui/inputs';
import { useShortcuts } from '@/components/ui/shortcuts';
import { visibleText } from '@/components/ui/visible-text';
import { useLogSize, useLogState } from '@/lib/hooks/log';
import { setMoment, useMoment, usePast } from '@/lib/hooks/moment';
import { SPEEDS, type Speed, usePlay } from '@/lib/hooks/play';
import { useLogTimes } from '@/lib/hooks/times';
import type { Log } from '@/lib/store/log';
import { rowLabel } from '@/lib/store/rows/row-text';
import { formatCount } from '@/lib/wire/format';

/** A time slider for an ended log. The whole page shows the state at the chosen frame. */
export function Scrubber({ log }: { readonly log: Log }) {
  const size = useLogSize(log);
  // Trailing notes were added after the end.
  const noted = useLogState(log, ({ notes }) => notes.frames);
  const last = lastMoment(log, size, noted);
  const moment = useMoment(log);
  const { progress } = usePast(log);
  const [speed, setSpeed] = useState<Speed>('×1');
  const at = moment ?? last;
  const go = (seq: number) => setMoment(log.connection, seq >= last ? undefined : Math.max(1, seq));
  const { playing, play } = usePlay(log, at, last, speed, go);
  const step = (seq: number) => {
    play(false);
    go(skipNotes(log, seq, seq < at ? -1 : 1));
  };
  const leave = () => step(last);
  const toggle = () => {
    // At the end, play from the start.
    if (!playing && at >= last) go(1);
    play(!playing);
  };
  useShortcuts([
    { keys: ',', title: 'Go one message back in time', run: () => step(at - 1) },
    { keys: '.', title: 'Go one message forward in time', run: () => step(at + 1) },
    { keys: ';', title: playing ? 'Pause playback' : 'Play the recording', run: toggle },
    ...(moment === undefined ? [] : [{ keys: 'e', title: 'Go to the end of the recording', run: leave }]),
  ]);
  if (last < 2) return null;
  const { what, about } = rowLabel(log.row(at - 1));
  const label = visibleText(`${what} ${about ?? ''} ${log.preview(at - 1) ?? ''}`.slice(0, 200));
  return (
    <section
      aria-label="Time"
      className={`flex min-h-8 shrink-0 flex-wrap items-center gap-x-2 border-b border-line px-2 ${moment === undefined ? '' : 'bg-warn/10'}`}
    >
      <span aria-hidden="true" className="text-muted">
        Time
      </span>
      <IconButton label="One message back" onClick={() => step(at - 1)}>
        <Icon name="back" />
      </IconButton>
      <IconButton label={playing ? 'Pause' : 'Play'} onClick={toggle}>
        <Icon name={playing ? 'pause' : 'resume'} />
      </IconButton>
      <IconButton label="One message forward" onClick={() => step(at + 1)}>
        <Icon name="forward" />
      </IconButton>
      <MomentSlider {...{ log, at, last, label }} onMove={step} />
      <Select
        aria-label="Speed"
        value={speed}
        onChange={setSpeed}
        options={SPEEDS.map((value) => ({ value, label: value }))}
        className="h-6! w-14! shrink-0"
      />
      <MomentNote {...{ moment, progress, label }} onLeave={leave} />
    </section>
  );
}

interface MomentSliderProps {
  readonly log: Log;
  /** seq of the shown frame. */
  readonly at: number;
  readonly last: number;
  /** The shown frame in words. */
  readonly label: string;
  readonly onMove: (seq: number) => void;
}

function MomentSlider({ log, at, last, label, onMove }: MomentSliderProps) {
  const { shown } = useLogTimes(log);
  const time = shown(log.columns.time(at - 1));
  const end = shown(log.columns.time(last - 1));
  const onKeyDown = (event: KeyboardEvent) => {
    const by = STEPS[event.key];
    if (!by || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    onMove(event.shiftKey && Math.abs(by) === 1 ? nextRequest(log, at, last, by > 0 ? 1 : -1) : at + by);
  };
  return (
    <>
      <div className="relative flex min-w-32 flex-1 basis-40 items-center">
        <input
          type="range"
          aria-label="Moment"
          title="Arrow keys: 1 message. With Shift: next request. Page keys: 10 messages"
          aria-valuetext={`#${at}, ${time}, ${label}`}
          min={1}
          max={last}
          step={1}
          value={at}
          onChange={(event) => onMove(Number(event.target.value))}
          onKeyDown={onKeyDown}
          className="h-6 w-full accent-(--color-accent)"
        />
        <NoteTicks log={log} last={last} />
      </div>
      <span className="tabular grid shrink-0 whitespace-nowrap text-muted" title={label}>
        {/* Always as wide as the last position, so that the slider does not move. */}
        <span aria-hidden="true" className="invisible col-start-1 row-start-1">
          #{formatCount(last)} · {end} / {end}
        </span>
        <span className="col-start-1 row-start-1">
          #{formatCount(at)} · {time}
          <span className="sr-only"> of</span> <span aria-hidden="true">/</span> {end}
        </span>
      </span>
    </>
  );
}

/** Says whether the page shows the past, and leads back to the end. */
function MomentNote({
  moment,
  progress,
  label,
  onLeave,
}: {
  /** undefined at the end. */
  readonly moment: number | undefined;
  /** Share of the past that is loaded. */
  readonly progress: number;
  readonly label: string;
  readonly onLeave: () => void;
}) {
  return (
    <span className="flex min-w-0 basis-72 items-center gap-2">
      {moment === undefined ? (
        <span className="truncate text-muted">End of recording. Drag to go back in time</span>
      ) : (
        <>
          <span className="min-w-0 flex-1 truncate" title={`All panels show the state after #${moment}: ${label}`}>
            <span className="font-medium">Showing the past</span>
            {progress < 1 ? `: loading, ${Math.floor(progress * 100)} %` : `, as of #${formatCount(moment)}`}
          </span>
          <Button size="small" onClick={onLeave}>
            Go to the end
          </Button>
        </>
      )}
    </span>
  );
}

/** Keys of the slider, with the frames they move by. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
};

/** Most notes and bookmarks to show below the slider. More would look like a bar. */
const MOST_TICKS = 200;

/** Marks of notes and bookmarks below the slider. For the keyboard and screen readers, the message log has them. */
export function NoteTicks({ log, last }: { readonly log: Log; readonly last: number }) {
  const { notes } = useLogState(log, (state) => state.notes);
  const ticks = [...notes].filter(([seq, { text, bookmark }]) => (bookmark || text !== '') && seq >= 1 && seq <= last);
  return (
    // As wide as the range in which the slider's thumb moves.
    <span aria-hidden="true" className="pointer-events-none absolute inset-x-2 bottom-0 h-1.5">
      {ticks.slice(0, MOST_TICKS).map(([seq, { bookmark }]) => (
        <span
          key={seq}
          className={`absolute h-1.5 w-0.5 ${bookmark ? 'bg-accent' : 'bg-muted'}`}
          style={{ left: `${((seq - 1) / Math.max(1, last - 1)) * 100}%` }}
        />
      ))}
    </span>
  );
}

/** Returns the seq of the newest frame that is not a note. The log has `size` frames, `notes` of them notes. */
export function lastMoment(log: Log, size: number, notes: number): number {
  let last = size;
  while (notes > 0 && last > 0 && log.isNote(last - 1)) last--;
  return last;
}

/** Returns the next request of either side after (or before) `seq`; the last (or first) frame if there is none. */
export function nextRequest(log: Log, seq: number, last: number, step: 1 | -1): number {
  let at = seq + step;
  while (at > 1 && at < last && log.columns.kind(at - 1) !== 'request') at += step;
  return Math.max(1, Math.min(last, at));
}

/** Returns `seq`, or the next frame in this direction that is not a note. Notes do not change the state. */
export function skipNotes(log: Log, seq: number, step: 1 | -1): number {
  let at = Math.max(1, Math.min(log.size, seq));
  while (at > 1 && at < log.size && log.isNote(at - 1)) at += step;
  return at;
}
