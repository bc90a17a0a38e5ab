import { useLayoutEffect, useRef } from 'react';
import { moveFocus } from '@/components/ui/page-focus';
import { ConnectionList, type ConnectionListProps } from './connection-list';

/** The open list. Esc, a choice and a click outside close it. */
export function ServersPopover({
  id,
  opener,
  onClose,
  ...props
}: ConnectionListProps & { readonly id: string; readonly opener: HTMLElement; readonly onClose: () => void }) {
  const box = useRef<HTMLDivElement>(null);
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
      onToggle={(event) => event.newState === 'closed' && onClose()}
      className="fixed inset-auto m-0 max-h-[70vh] w-80 max-w-[calc(100vw-16px)] overflow-auto rounded border border-line bg-raised p-0 text-text shadow-xl"
    >
      <ConnectionList {...props} />
    </div>
  );
}
