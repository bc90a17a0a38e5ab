import { type ReactNode, type Ref, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { TextInput } from '@/components/ui/inputs';
import { SEND_KEYS } from '@/components/ui/key-press';
import { Menu } from '@/components/ui/menu';
import type { MenuItem } from '@/components/ui/menu-list';
import { ErrorNote } from '@/components/ui/notices';
import { moveFocus } from '@/components/ui/page-focus';
import { keyLabel, useShortcuts } from '@/components/ui/shortcuts';
import { useSteadyPress } from '@/components/ui/steady-press';
import { useLogTimes } from '@/lib/hooks/times';
import { formatDuration } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import { FrameLink } from './frame-link';
import { OutcomeWord, useOutcome } from './outcome';
import { RESULT_ID } from './result-region';
import type { Request } from './use-request';

interface RequestBarProps {
  readonly request: Request;
  /** The name of the button, for example `Call tool`. The button shows its verb. */
  readonly action: string;
  readonly onSend: () => void;
  /** Why the request can't be sent. */
  readonly blocked?: string;
  /** Menus next to the button. */
  readonly tools?: ReactNode;
  /** Shown after them: the number of invalid fields. */
  readonly aside?: ReactNode;
  /** More items of the bar's last menu. */
  readonly more?: () => readonly MenuItem[];
}

const SEND_ID = 'send';

/** Puts the focus on the button that sends the request. */
export function focusSend(): void {
  moveFocus(document.getElementById(SEND_ID));
}

/** The bar that sends a request or, in a read-only log, says when it was sent. */
export function RequestBar(props: RequestBarProps) {
  return props.request.readOnly ? <SentRequestNote {...props} /> : <SendBar {...props} />;
}

/** Buttons to send and cancel, the timeout, and the error of the last command. */
function SendBar({ request, action, onSend, blocked, tools, aside, more = none }: RequestBarProps) {
  const sendButton = useRef<HTMLButtonElement>(null);
  const timeout = useRef<HTMLInputElement>(null);
  const [wantsTimeout, setWantsTimeout] = useState(false);
  const reason = request.closed ?? blocked;
  useShortcuts([{ keys: SEND_KEYS, title: action, run: () => reason === undefined && onSend() }]);
  const onPointerDown = useSteadyPress(() => reason === undefined && onSend());
  const editTimeout = () => {
    flushSync(() => setWantsTimeout(true));
    moveFocus(timeout.current);
  };
  return (
    // Sticks to the bottom edge of the pane below a long form.
    <div className="@container sticky bottom-0 z-1 border-t border-line bg-bg">
      <div className="flex items-start gap-1 px-3 py-1.5 short:py-px">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1">
          <Button
            ref={sendButton}
            id={SEND_ID}
            variant="primary"
            aria-label={action}
            onClick={onSend}
            onPointerDown={onPointerDown}
            disabled={reason !== undefined}
          >
            {action.split(' ', 1)}
            <span aria-hidden="true" className="ml-1 hidden text-small font-normal @[26rem]:inline">
              {keyLabel(SEND_KEYS).replaceAll('+', ' ')}
            </span>
          </Button>
          {request.newest?.status === 'pending' && <CancelButton onCancel={request.cancel} next={sendButton} />}
          {tools}
          {aside}
          <OutcomeLink request={request} />
          {reason !== undefined && <span className="text-small text-muted">{reason}</span>}
        </div>
        <div className="flex min-h-7 shrink-0 items-center gap-1 short:min-h-6">
          {wantsTimeout && <TimeoutInput ref={timeout} request={request} onLeave={() => setWantsTimeout(false)} />}
          <Menu
            label="More actions"
            items={() => [
              ...more(),
              { label: `Timeout, now ${formatSeconds(request.timeoutMs)}…`, separatorBefore: true, run: editTimeout },
            ]}
          >
            <Icon name="more" />
          </Menu>
        </div>
      </div>
      {request.failure && <ErrorNote failure={request.failure} />}
    </div>
  );
}

function none(): readonly MenuItem[] {
  return [];
}

function formatSeconds(ms: number): string {
  return `${ms / 1000} s`;
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
      if (document.activeElement === button) moveFocus(next.current);
    };
  }, [next]);
  return (
    <Button ref={own} onClick={onCancel}>
      Cancel
    </Button>
  );
}

interface TimeoutInputProps {
  readonly ref: Ref<HTMLInputElement>;
  readonly request: Request;
  readonly onLeave: () => void;
}

/** Input for the timeout in seconds. Ignores invalid numbers. Empty stands for the default. */
function TimeoutInput({ ref, request: { timeoutMs, setTimeoutMs }, onLeave }: TimeoutInputProps) {
  const id = useId();
  const [draft, setDraft] = useState<string>();
  const read = (text: string) => {
    const value = Math.round(Number(text) * 1000);
    return value > 0 && value <= LIMITS.requestMaxMs ? value : undefined;
  };
  const invalid = draft !== undefined && draft !== '' && read(draft) === undefined;
  return (
    <span className="inline-flex items-center gap-1 text-small text-muted">
      <label htmlFor={id}>Timeout</label>
      <TextInput
        ref={ref}
        id={id}
        inputMode="decimal"
        className="max-w-11 text-right short:h-6"
        value={draft ?? String(timeoutMs / 1000)}
        aria-invalid={invalid || undefined}
        title={`Timeout: seconds without a response or progress, up to ${LIMITS.requestMaxMs / 1000}`}
        onChange={(text) => {
          setDraft(text);
          if (text === '' || read(text) !== undefined) setTimeoutMs(read(text));
        }}
        onBlur={() => {
          setDraft(undefined);
          onLeave();
        }}
      />
      s
    </span>
  );
}

/** The outcome next to the button, linked to the result, while the result is below the edge of a narrow pane. */
function OutcomeLink({ request: { log, exchange } }: { readonly request: Request }) {
  const { outcome } = useOutcome(log, exchange);
  const inView = useResultInView();
  if (!exchange || !outcome || inView) return null;
  const goToResult = () => {
    const result = document.getElementById(RESULT_ID);
    result?.scrollIntoView({ block: 'start' });
    // This button is about to disappear.
    moveFocus(result, { preventScroll: true });
  };
  return (
    <button
      type="button"
      title="Go to the result"
      onClick={goToResult}
      className="tabular min-h-6 rounded px-1 hover:bg-text/8"
    >
      <OutcomeWord outcome={outcome} />
      {exchange.durationUs !== undefined && ` ${formatDuration(exchange.durationUs)}`}
      <span aria-hidden="true"> ↓</span>
    </button>
  );
}

/** Returns whether the first line of the result, with its outcome, is in view. */
function useResultInView(): boolean {
  const [inView, setInView] = useState(true);
  useEffect(() => {
    const line = document.getElementById(RESULT_ID)?.firstElementChild;
    if (!line) return;
    const observer = new IntersectionObserver(([entry]) => setInView(entry!.isIntersecting), { threshold: 0.5 });
    observer.observe(line);
    return () => observer.disconnect();
  }, []);
  return inView;
}

/** In a read-only log: says which request the values come from. */
function SentRequestNote({ request: { log, method, exchange, newest }, more }: RequestBarProps) {
  const past = log !== log.whole;
  const times = useLogTimes(log);
  return (
    <div className="sticky bottom-0 z-1 flex items-start justify-between gap-2 border-t border-line bg-bg px-3 py-1.5">
      <p className="py-0.5 text-muted">
        {exchange ? (
          <>
            Sent in <FrameLink seq={exchange.requestSeq} label="request" /> at{' '}
            <span className="tabular">{times.shown(log.columns.time(exchange.requestSeq - 1))}</span>
            {exchange === newest && `, the latest ${past ? 'up to this moment' : 'in this recording'}`}
          </>
        ) : (
          <>
            No matching <code className="font-mono text-wire">{method}</code> request{' '}
            {past ? 'up to this moment' : 'in this recording'}
          </>
        )}
      </p>
      {more && (
        <Menu label="More actions" items={more}>
          <Icon name="more" />
        </Menu>
      )}
    </div>
  );
}
