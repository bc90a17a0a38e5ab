import { navigate } from '@/lib/hooks/location';
import { formatInterception } from '@/lib/store/rows/interception-labels';
import type { Row } from '@/lib/store/rows/row';

/** Says what a rule or a person did to a message, with links to the frames of the message. */
export function InterceptedNote({ row, onSelect }: { readonly row: Row; readonly onSelect: (seq: number) => void }) {
  const { intercepted } = row;
  if (!intercepted) return null;
  const { event, seq, original, delivered, made } = intercepted;
  const links = [
    ['Event', seq],
    ['As sent', original],
    ...delivered.map((frame, index) => [deliveredTitle(event.withheld, index), frame] as const),
    ['Made by mcp-inspect', made],
  ] as const;
  const item = event.hold === undefined ? 'done' : `hold-${event.hold}`;
  return (
    <p className="flex shrink-0 flex-wrap gap-x-3 border-b border-line bg-warn/8 px-2 py-1 text-warn">
      {/* An event says it itself. */}
      {row.channel !== 'lifecycle' && <span>{formatInterception(event)}</span>}
      {links.map(
        ([title, frame]) =>
          frame !== undefined &&
          frame !== row.seq && (
            <button key={frame} type="button" onClick={() => onSelect(frame)} className="tabular text-link">
              {title} #{frame}
            </button>
          ),
      )}
      <button type="button" onClick={() => navigate({ panel: 'intercept', item })} className="text-link">
        Show the held message
      </button>
    </p>
  );
}

function deliveredTitle(withheld: true | undefined, index: number): string {
  if (withheld) return 'Not passed on';
  return index === 0 ? 'Passed on' : 'Copy';
}
