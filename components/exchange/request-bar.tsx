import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextInput } from '@/components/ui/inputs';
import { ErrorNote } from '@/components/ui/notices';
import { KeyHint, useShortcuts } from '@/components/ui/shortcuts';
import { formatDuration, formatTime } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import { FrameLink } from './frame-link';
import { OutcomeWord, useOutcome } from './outcome';
import { RESULT_ID } from './result-region';
import type { Request } from './use-request';

interface RequestBarProps {
  readonly request: Request;
  /** Label of the button, for example `Call tool`. */
  readonly action: string;
  readonly onSend: () => void;
  /** Why the request can't be sent. */
  readonly blocked?: string;
  /** Shown next to the button, for example the number of problems. */
  readonly aside?: ReactNode;
}

/** The bar that sends a request or, in a read-only log, says when it was sent. */
export function RequestBar(props: RequestBarProps) {
  return props.request.readOnly ? <SentRequestNote request={props.request} /> : <SendBar {...props} />;
}

/** Buttons to send and cancel, the timeout, and the error of the last command. */
function SendBar({ request, action, onSend, blocked, aside }: RequestBarProps) {
  const sendButton = useRef<HTMLButtonElement>(null);
  const reason = request.closed ?? blocked;
  useShortcuts([{ keys: 'mod+enter', title: action, whileTyping: true, run: () => reason === undefined && onSend() }]);
  return (
    // Sticks to the bottom edge below a long form. The scrolled region has 12 px of padding.
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
  /** Gets the focus when this button is removed while focused. */
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

/** Input for the timeout in seconds. Ignores invalid numbers. */
function TimeoutInput({ ms, onChange }: { readonly ms: number; readonly onChange: (ms: number) => void }) {
  const id = useId();
  const [draft, setDraft] = useState<string>();
  const read = (text: string) => {
    const value = Math.round(Number(text) * 1000);
    return value > 0 && value <= LIMITS.requestMaxMs ? value : undefined;
  };
  return (
    <span className="inline-flex items-center gap-1 text-small text-muted">
      <label htmlFor={id}>Timeout</label>
      <TextInput
        id={id}
        inputMode="decimal"
        className="max-w-14 text-right"
        value={draft ?? String(ms / 1000)}
        aria-invalid={(draft !== undefined && read(draft) === undefined) || undefined}
        title={`Seconds without a response or progress, up to ${LIMITS.requestMaxMs / 1000}`}
        onChange={(text) => {
          setDraft(text);
          const value = read(text);
          if (value !== undefined) onChange(value);
        }}
        onBlur={() => setDraft(undefined)}
      />
      s
    </span>
  );
}

/** The outcome next to the button, linked to the result. For narrow layouts, where the result is below the form. */
function OutcomeLink({ request: { log, exchange } }: { readonly request: Request }) {
  const { outcome } = useOutcome(log, exchange);
  if (!exchange || !outcome) return null;
  return (
    <button
      type="button"
      title="Go to the result"
      onClick={() => document.getElementById(RESULT_ID)?.scrollIntoView({ block: 'start' })}
      className="tabular rounded px-1 hover:bg-text/8 @3xl:hidden"
    >
      <OutcomeWord outcome={outcome} />
      {exchange.durationUs !== undefined && ` ${formatDuration(exchange.durationUs)}`}
      <span aria-hidden="true"> ↓</span>
    </button>
  );
}

/** In a read-only log: says which request the values come from. */
function SentRequestNote({ request: { log, method, exchange } }: { readonly request: Request }) {
  const past = log !== log.whole;
  return (
    <p className="border-t border-line pt-2 text-muted">
      {exchange ? (
        <>
          Sent in <FrameLink seq={exchange.requestSeq} label="request" /> at{' '}
          <span className="tabular">{formatTime(log.columns.time(exchange.requestSeq - 1))}</span>, the latest{' '}
          {past ? 'up to this moment' : 'in this recording'}
        </>
      ) : (
        <>
          No matching <code className="font-mono text-wire">{method}</code> request{' '}
          {past ? 'up to this moment' : 'in this recording'}
        </>
      )}
    </p>
  );
}
