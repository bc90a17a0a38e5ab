import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';

/** Notes and bookmarks that are drawn: more would be a bar. */
const MOST = 200;

/** Where the notes and bookmarks are, below the slider. They can be gone to by keys and in the table. */
export function NoteTicks({ log, last }: { readonly log: Log; readonly last: number }) {
  const { notes } = useLogState(log, (state) => state.notes);
  const ticks = [...notes].filter(([seq, { text, bookmark }]) => (bookmark || text !== '') && seq >= 1 && seq <= last);
  return (
    // As wide as the way of the slider's thumb.
    <span aria-hidden="true" className="pointer-events-none absolute inset-x-2 bottom-0 h-1.5">
      {ticks.slice(0, MOST).map(([seq, { bookmark }]) => (
        <span
          key={seq}
          className={`absolute h-1.5 w-0.5 ${bookmark ? 'bg-accent' : 'bg-muted'}`}
          style={{ left: `${((seq - 1) / Math.max(1, last - 1)) * 100}%` }}
        />
      ))}
    </span>
  );
}
