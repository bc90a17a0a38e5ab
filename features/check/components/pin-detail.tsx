import { type ReactNode, useState } from 'react';
import { AnswersDialog } from '@/components/compare/answers-dialog';
import { DifferenceList } from '@/components/compare/difference-list';
import { ExchangeLinks } from '@/components/exchange/frame-link';
import { responseOf } from '@/components/exchange/outcome';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { TextInput } from '@/components/ui/inputs';
import { Menu } from '@/components/ui/menu';
import { Spinner } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { JsonTree } from '@/components/untrusted/json-tree';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { canAccept, pinStatus } from '@/features/check/lib/pins/pin-results';
import type { PinEntry } from '@/features/check/lib/pins/pins-api';
import { useDraft } from '@/lib/hooks/drafts';
import { useExchange, useFrameBytes } from '@/lib/hooks/log';
import { JsonSource } from '@/lib/json/source';
import type { Log } from '@/lib/store/log';
import { countOf, formatBytes } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import type { PinOutcome } from '@/lib/wire/pins';
import { PinRuns } from './pin-runs';
import { isNamed, STATUS_WORDS, timeText } from './pin-words';
import type { PinActions } from './use-pin-actions';
import { useAcceptedAnswer } from './use-pins';

/** Differences that are listed of one answer; the proxy finds no more. */
const MOST_DIFFERENCES = 50;

/** One pinned call: its verdict, what changed, and what is sent and accepted. */
export function PinDetail({
  log,
  pin,
  outcome,
  actions,
  running,
}: {
  readonly log: Log;
  readonly pin: PinEntry;
  readonly outcome: PinOutcome | undefined;
  readonly actions: PinActions;
  /** Calls are being played. */
  readonly running: boolean;
}) {
  const { closed, accepts, play, accept, change } = actions;
  const [typedName, setTypedName] = useDraft<string | null>(`rename pin ${pin.key}`, null);
  const status = pinStatus(pin, outcome);
  const { glyph, word, tone, about } = STATUS_WORDS[status];
  const named = isNamed(pin);
  return (
    <article className="flex min-h-0 min-w-0 flex-1 flex-col gap-3 overflow-auto p-3">
      <header className="flex min-w-0 flex-col gap-1">
        <div className="flex min-h-7 min-w-0 flex-wrap items-center gap-2">
          {typedName !== null ? (
            <Rename
              name={pin.name}
              text={typedName}
              onText={setTypedName}
              onDone={(name) => {
                setTypedName(null);
                if (name !== undefined) change({ kind: 'rename', key: pin.key, name });
              }}
            />
          ) : (
            <h2
              className={classNames('min-w-0 flex-1 basis-40 font-medium break-words', !named && 'font-mono text-wire')}
            >
              <UntrustedText text={pin.name} limit={300} />
            </h2>
          )}
          <span className="flex shrink-0 items-center gap-1">
            {accepts && canAccept(status, outcome?.answer) && (
              <Button variant="primary" disabled={running} onClick={() => accept([pin.key])}>
                Accept answer
              </Button>
            )}
            <Button disabled={closed !== undefined || running} title={closed} onClick={() => play([pin])}>
              Run
            </Button>
            <Menu
              label="More actions"
              items={() => [
                { label: 'Rename…', run: () => setTypedName(pin.name) },
                { label: 'Delete from the file', run: () => change({ kind: 'delete', key: pin.key }) },
              ]}
            >
              ⋯
            </Menu>
          </span>
        </div>
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1 text-muted">
          <Badge tone={tone}>
            {glyph} {word}
          </Badge>
          <span>{about}</span>
          {outcome && outcome.verdict !== 'skipped' && <span className="tabular">{timeText(outcome)}</span>}
          {outcome?.seq !== undefined && <ExchangeLinks request={outcome.seq} response={outcome.answerSeq} />}
        </p>
        <PinRuns connection={log.connection} pin={pin} />
      </header>
      {outcome && status === outcome.verdict && <Changes log={log} pin={pin} outcome={outcome} />}
      <Part title="Call">
        {named && (
          <p className="font-mono text-wire break-words">
            {visibleText(pin.method)} {pin.target !== undefined && <UntrustedText text={pin.target} limit={300} />}
          </p>
        )}
        <Json text={pin.params} chars={pin.paramsChars} except={pin.target === undefined ? [] : NAMES} />
        <Uses pin={pin} />
      </Part>
      <Part title={pin.accepted?.kind === 'error' ? 'Accepted error' : 'Accepted answer'}>
        <Accepted pin={pin} />
      </Part>
    </article>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-1 border-t border-line pt-2">
      <h3 className="text-small text-muted">{title}</h3>
      {children}
    </section>
  );
}

/** The differences from the accepted answer, and both side by side. */
function Changes({ log, pin, outcome }: { readonly log: Log; readonly pin: PinEntry; readonly outcome: PinOutcome }) {
  const { why, ends, differences = [], answerSeq } = outcome;
  const [compared, setCompared] = useState(false);
  if (why === undefined && !ends && differences.length === 0) return null;
  return (
    <Part title="What changed">
      {why !== undefined && (
        <p className="break-words">
          <UntrustedText text={why} limit={1000} />
        </p>
      )}
      <DifferenceList ends={ends} differences={differences} />
      {differences.length === MOST_DIFFERENCES && <p className="text-muted">There may be more differences</p>}
      {pin.accepted && answerSeq !== undefined && (
        <p>
          <Button size="small" onClick={() => setCompared(true)}>
            Compare answers
          </Button>
        </p>
      )}
      {compared && pin.accepted && (
        <ComparedAnswers log={log} pin={pin} outcome={outcome} onClose={() => setCompared(false)} />
      )}
    </Part>
  );
}

const NONE: readonly number[] = [];

function ComparedAnswers({
  log,
  pin,
  outcome: { seq, answerSeq },
  onClose,
}: {
  readonly log: Log;
  readonly pin: PinEntry;
  readonly outcome: PinOutcome;
  readonly onClose: () => void;
}) {
  const accepted = useAcceptedAnswer(pin.key, pin.accepted?.digest);
  const exchange = useExchange(log, seq);
  const bytes = useFrameBytes(log, answerSeq === undefined ? NONE : [answerSeq]);
  const response = bytes === 'here' ? responseOf(log, exchange) : undefined;
  const answer = response?.result ?? response?.error;
  if (accepted === undefined || !answer) return <Spinner label="Loading the answers" />;
  return (
    <AnswersDialog
      title={`Responses to ${visibleText(pin.name.slice(0, 100))}`}
      before={{ title: 'Accepted', text: accepted }}
      after={{ title: `Now: #${answerSeq}`, text: answer.text }}
      onClose={onClose}
    />
  );
}

/** Says which values a call takes and leaves. */
function Uses({ pin: { reads, saves, ignores } }: { readonly pin: PinEntry }) {
  const parts = [
    ...(reads.length > 0 ? [`Sends ${reads.join(', ')} of the environment to the server`] : []),
    ...(saves.length > 0 ? [`Saves ${saves.join(', ')} for later calls`] : []),
    ...(ignores > 0 ? [`${countOf(ignores, 'place')} of the answer ${ignores === 1 ? 'is' : 'are'} not compared`] : []),
  ];
  return parts.map((part) => (
    <p key={part} className="text-muted">
      {part}
    </p>
  ));
}

/** The accepted answer, loaded when it is opened. */
function Accepted({ pin: { key, accepted } }: { readonly pin: PinEntry }) {
  const [open, setOpen] = useState(false);
  const text = useAcceptedAnswer(key, open ? accepted?.digest : undefined);
  if (!accepted) return <p className="text-muted">None. Run the call, then accept its answer</p>;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="text-muted">{formatBytes(accepted.chars)}</summary>
      {open && (text === undefined ? <Spinner label="Loading the answer" /> : <Json text={text} chars={text.length} />)}
    </details>
  );
}

/** Members of params that the heading has. */
const NAMES = ['name', 'uri'];

function Json({
  text,
  chars,
  except,
}: {
  readonly text: string;
  readonly chars: number;
  readonly except?: readonly string[];
}) {
  if (chars > text.length || chars > LIMITS.formattedBytes) {
    return (
      <p className="font-mono text-wire break-words">
        <UntrustedText text={text.slice(0, 2000)} /> <span className="text-muted">… {formatBytes(chars)}</span>
      </p>
    );
  }
  const json = JsonSource.parse(text);
  const { count } = json?.children(0, except) ?? { count: 0 };
  return json && count > 0 && <JsonTree json={json} {...(except && { except })} />;
}

/** Edits the name in place. Enter stores it, Escape leaves it. */
function Rename({
  name,
  text,
  onText,
  onDone,
}: {
  readonly name: string;
  /** The typed name. It survives a reload of the tab. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onDone: (name: string | undefined) => void;
}) {
  return (
    <form
      className="flex min-w-0 flex-1 basis-40 gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        onDone(text.trim());
      }}
    >
      <TextInput
        autoFocus
        onFocus={({ currentTarget }) => text === name && currentTarget.select()}
        aria-label="Name of the pinned call"
        value={text}
        maxLength={300}
        onChange={onText}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          onDone(undefined);
        }}
      />
      <Button type="submit">Rename</Button>
    </form>
  );
}
