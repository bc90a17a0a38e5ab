import { useCallback, useRef, useState } from 'react';
import type { ProblemList } from '@/lib/problems/problem-list';
import type { Log } from '@/lib/store/log';
import type { RowActions } from './detail-actions';
import { MessageDetail } from './message-detail';
import { PinList } from './pin-list';

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
        <PinList
          log={log}
          pins={pins}
          chosen={seq}
          onChoose={(pin) => {
            setChosen(pin);
            setPlace(({ view }) => ({ view }));
          }}
        />
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
