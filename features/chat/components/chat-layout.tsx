import type { ReactNode } from 'react';
import { IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Split } from '@/components/ui/split';

/** The chat, and a pane beside it. A narrow window shows one of them. */
export function ChatLayout({
  bar,
  side,
  children,
}: {
  readonly bar: ReactNode;
  readonly side: ReactNode | undefined;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      {bar}
      <Split
        id="chat"
        orientation="horizontal"
        label="Resize chat"
        startSize="64%"
        startMin="320px"
        endMin="260px"
        narrow={side === undefined ? 'start' : 'end'}
        start={children}
        {...(side !== undefined && { end: side })}
      />
    </div>
  );
}

/** A pane beside the chat, with a title. */
export function SidePane({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <section aria-label={title} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex min-h-9 shrink-0 items-center border-b border-line px-3">
        <h2 className="flex-1 font-medium">{title}</h2>
        <IconButton label={`Close ${title.toLowerCase()}`} onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </header>
      <div className="min-h-0 flex-1 overflow-auto">{children}</div>
    </section>
  );
}
