import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/error-note';
import { KeyHint } from '@/components/ui/key-hint';
import { useShortcuts } from '@/components/ui/use-shortcuts';
import { OutcomeLink } from './outcome-link';
import { SentNote } from './sent-note';
import { TimeoutInput } from './timeout-input';
import type { Request } from './use-request';

interface RequestBarProps {
  readonly request: Request;
  /** `Call tool`: what the button says. */
  readonly action: string;
  readonly onSend: () => void;
  /** Why it can't be sent, if it can't. */
  readonly blocked?: string;
  /** Beside the button: how many problems there are. */
  readonly aside?: ReactNode;
}

/** What sends a request, or of one that is only to be looked at, when it was sent. */
export function RequestBar(props: RequestBarProps) {
  return props.request.readOnly ? <SentNote request={props.request} /> : <SendBar {...props} />;
}

/** The button that sends, the one that cancels, the timeout, and why the last command failed. */
function SendBar({ request, action, onSend, blocked, aside }: RequestBarProps) {
  const sendButton = useRef<HTMLButtonElement>(null);
  const reason = request.closed ?? blocked;
  useShortcuts([{ keys: 'mod+enter', title: action, whileTyping: true, run: () => reason === undefined && onSend() }]);
  return (
    // However long the form is, what sends it stays in sight; down to the very edge of what scrolls, whose padding is 12 px.
    <div className="sticky -bottom-3 z-1 -mb-3 flex flex-col gap-2 border-t border-line bg-bg pt-2 pb-3">
      <div className="flex flex-wrap items-center gap-2">
        <Button ref={sendButton} variant="primary" onClick={onSend} disabled={reason !== undefined}>
          {action}
        </Button>
        {request.exchange?.status === 'pending' ? (
          <CancelButton onCancel={request.cancel} next={sendButton} />
        ) : (
          <span aria-hidden="true">
            <KeyHint keys="⌘↵" />
          </span>
        )}
        {aside}
        <OutcomeLink request={request} />
        {reason !== undefined && <span className="text-small text-muted">{reason}</span>}
        <span className="flex-1" />
        <TimeoutInput ms={request.timeoutMs} onChange={request.setTimeoutMs} />
      </div>
      {request.failure && <ErrorNote failure={request.failure} />}
    </div>
  );
}

interface CancelButtonProps {
  readonly onCancel: () => void;
  /** Gets the focus if this button has it when it goes away. */
  readonly next: RefObject<HTMLButtonElement | null>;
}

function CancelButton({ onCancel, next }: CancelButtonProps) {
  const own = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = own.current;
    return () => {
      if (document.activeElement === button) next.current?.focus();
    };
  }, [next]);
  return (
    <Button ref={own} onClick={onCancel}>
      Cancel
    </Button>
  );
}
