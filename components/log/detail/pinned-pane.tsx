import { useCallback, useRef, useState } from 'react';
import { visibleText } from '@/components/ui/visible-text';
import type { ProblemList } from '@/lib/problems/problem-list';
import type { Log } from '@/lib/store/log';
import { messageWords } from '@/lib/store/row-words';
import type { RowActions } from './detail-actions';
import { MessageDetail } from './message-detail';

/** The pinned frames: a button for each, and all about the one chosen. */
export function PinnedPane({
  log,
  problems,
  actions,
  onSelect,
}: {
  readonly log: Log;
  readonly problems: ProblemList;
  readonly actions: RowActions;
  readonly onSelect: (seq: number) => void;
}) {
  const { pins, onUnpin } = actions;
  const [chosen, setChosen] = useState<number>();
  const [place, setPlace] = useState<{ readonly view?: string; readonly at?: string }>({});
  const show = useCallback((view: string, at?: string) => setPlace({ view, at }), []);
  const region = useRef<HTMLElement>(null);
  const seq = chosen !== undefined && pins.includes(chosen) ? chosen : pins.at(-1);
  if (seq === undefined) return null;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {pins.length > 1 && (
        <ul
          aria-label="Pinned messages"
          className="flex h-7 shrink-0 items-center gap-1 overflow-x-auto border-b border-line px-2"
        >
          {pins.map((pin) => (
            <li key={pin} className="shrink-0">
              <button
                type="button"
                aria-pressed={pin === seq}
                onClick={() => {
                  setChosen(pin);
                  setPlace(({ view }) => ({ view }));
                }}
                className="max-w-40 truncate rounded px-1.5 font-mono text-small text-muted hover:bg-text/8 aria-pressed:bg-accent/12 aria-pressed:text-text"
              >
                #{pin} {shortWords(log, pin)}
              </button>
            </li>
          ))}
        </ul>
      )}
      <MessageDetail
        id="pinned"
        label="Pinned message"
        log={log}
        row={log.row(seq - 1)}
        problems={problems.of(seq)}
        view={place.view}
        at={place.at}
        actions={actions}
        onShow={show}
        onSelect={onSelect}
        onClose={() => onUnpin(seq)}
        region={region}
      />
    </div>
  );
}

function shortWords(log: Log, seq: number): string {
  const { what, about } = messageWords(log.row(seq - 1));
  return visibleText(`${what} ${about ?? ''}`.slice(0, 80));
}
