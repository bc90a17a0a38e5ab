import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { useOpener } from '@/components/ui/use-opener';

/** Asks before recordings are lost. Keeping them has the focus, and is what Esc does; then the focus is back where it was. */
export function LossQuestion({
  act,
  onAct,
  onKeep,
  children,
}: {
  /** What loses them, a verb. */
  readonly act: string;
  readonly onAct: () => void;
  readonly onKeep: () => void;
  readonly children: ReactNode;
}) {
  const goBack = useOpener();
  const keep = () => {
    goBack();
    onKeep();
  };
  return (
    <div
      role="alert"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // The dialog around it stays.
        event.preventDefault();
        keep();
      }}
      className="flex basis-full flex-wrap items-center gap-2 bg-error/8 px-2 py-1 text-text"
    >
      <p className="min-w-0 flex-1 basis-60 break-words">{children}</p>
      <Button size="small" variant="danger" onClick={onAct}>
        {act}
      </Button>
      <Button size="small" variant="ghost" autoFocus onClick={keep}>
        Keep
      </Button>
    </div>
  );
}
