import { visibleText } from '@/components/ui/visible-text';
import type { Log } from '@/lib/store/log';
import { messageWords } from '@/lib/store/row-words';

/** The pinned frames, a button each, on one line. */
export function PinList({
  log,
  pins,
  chosen,
  onChoose,
}: {
  readonly log: Log;
  readonly pins: readonly number[];
  /** seq of the one that is shown. */
  readonly chosen: number | undefined;
  readonly onChoose: (seq: number) => void;
}) {
  return (
    <ul
      aria-label="Pinned messages"
      className="flex h-7 shrink-0 items-center gap-1 overflow-x-auto border-b border-line px-2"
    >
      {pins.map((pin) => (
        <li key={pin} className="shrink-0">
          <button
            type="button"
            aria-pressed={pin === chosen}
            onClick={() => onChoose(pin)}
            className="max-w-40 truncate rounded px-1.5 font-mono text-small text-muted hover:bg-text/8 aria-pressed:bg-accent/12 aria-pressed:text-text"
          >
            #{pin} {shortWords(log, pin)}
          </button>
        </li>
      ))}
    </ul>
  );
}

function shortWords(log: Log, seq: number): string {
  const { what, about } = messageWords(log.row(seq - 1));
  return visibleText(`${what} ${about ?? ''}`.slice(0, 80));
}
