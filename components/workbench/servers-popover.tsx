import { useLayoutEffect, useRef } from 'react';
import { moveFocus } from '@/components/ui/page-focus';
import { useRelease } from '@/components/ui/release';
import { ConnectionList, type ConnectionListProps } from './connection-list';

/** An action on the selected server. */
export interface ServerAction {
  readonly label: string;
  /** Whether it is on; undefined for an action without a state. */
  readonly isOn?: boolean;
  readonly run: () => void;
}

interface ServersPopoverProps extends ConnectionListProps {
  readonly id: string;
  readonly opener: HTMLElement;
  readonly onClose: () => void;
  readonly actions: readonly ServerAction[];
}

/** The open list. Esc, a choice and a click outside close it. */
export function ServersPopover({ id, opener, onClose, actions, ...props }: ServersPopoverProps) {
  const box = useRef<HTMLDivElement>(null);
  const release = useRelease();
  useLayoutEffect(() => {
    const element = box.current!;
    element.showPopover();
    const at = opener.getBoundingClientRect();
    element.style.left = `${at.left}px`;
    element.style.top = `${at.bottom}px`;
    moveFocus(element.querySelector<HTMLElement>('[aria-current=true]') ?? element.querySelector('button'));
  }, [opener]);
  return (
    <div
      ref={box}
      id={id}
      role="dialog"
      aria-label="Servers and recordings"
      popover="auto"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // Page shortcuts ignore events that were prevented.
        event.preventDefault();
        moveFocus(opener);
        onClose();
      }}
      {...release}
      onToggle={(event) => event.newState === 'closed' && onClose()}
      className="fixed inset-auto m-0 max-h-[70vh] w-80 max-w-[calc(100vw-16px)] overflow-auto rounded border border-line bg-raised p-0 text-text shadow-xl"
    >
      <ConnectionList {...props} />
      {actions.length > 0 && (
        <section aria-label="Selected server" className="sticky bottom-0 z-1 border-t border-line bg-raised p-1">
          {actions.map(({ label, isOn, run }) => (
            <button
              key={label}
              type="button"
              aria-pressed={isOn}
              onClick={run}
              className="flex min-h-7 w-full items-center justify-between rounded px-2 text-left hover:bg-text/8"
            >
              {label}
              {isOn !== undefined && <span className="text-muted">{isOn ? 'on' : 'off'}</span>}
            </button>
          ))}
        </section>
      )}
    </div>
  );
}
