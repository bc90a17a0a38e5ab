import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/error-note';
import { KeyHint } from '@/components/ui/key-hint';
import { useShortcuts } from '@/components/ui/use-shortcuts';
import type { Answering } from './use-answer';

interface AnswerBarProps {
  readonly answering: Answering;
  /** `Accept`: what the first button says. */
  readonly action: string;
  readonly onAction: () => void;
  /** Why that can't be sent, if it can't. */
  readonly blocked?: string;
  /** The other ways to answer. */
  readonly others: readonly { readonly label: string; readonly title: string; readonly run: () => void }[];
  /** How many problems there are. */
  readonly aside?: ReactNode;
}

/** The ways to answer a question. Those that say no are always there. */
export function AnswerBar({ answering, action, onAction, blocked, others, aside }: AnswerBarProps) {
  const { waits, giveUp, busy, failure } = answering;
  useShortcuts([
    { keys: 'mod+enter', title: action, whileTyping: true, run: () => waits && blocked === undefined && onAction() },
  ]);
  if (!waits) return failure ? <ErrorNote failure={failure} /> : null;
  return (
    <div className="sticky bottom-0 z-1 flex flex-col gap-2 bg-bg py-1">
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" onClick={onAction} disabled={busy || blocked !== undefined}>
          {action}
        </Button>
        <span aria-hidden="true">
          <KeyHint keys="⌘↵" />
        </span>
        {others.map(({ label, title, run }) => (
          <Button key={label} title={title} onClick={run} disabled={busy}>
            {label}
          </Button>
        ))}
        {giveUp && (
          <Button
            variant="ghost"
            title="Answers nothing: the call that asked is given up"
            onClick={giveUp}
            disabled={busy}
          >
            Give up the call
          </Button>
        )}
        {aside}
        {blocked !== undefined && <span className="text-small text-muted">{blocked}</span>}
      </div>
      {failure && <ErrorNote failure={failure} />}
    </div>
  );
}
