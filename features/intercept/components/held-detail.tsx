import { Suspense, useEffect, useId, useMemo, useRef } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { givenUpWords, heldFacts, heldName, waitWords } from '@/components/exchange/held-words';
import { Badge } from '@/components/ui/badge';
import { Button, Segmented } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Checkbox, TextInput } from '@/components/ui/inputs';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { MENU_BUTTON, Menu } from '@/components/ui/menu';
import { ErrorNote, Spinner } from '@/components/ui/notices';
import { DROP_KEYS, RELEASE_KEYS } from '@/components/ui/old-keys';
import { moveFocus } from '@/components/ui/page-focus';
import { KeyHint, useShortcuts } from '@/components/ui/shortcuts';
import { visibleText } from '@/components/ui/visible-text';
import { prettyJson, tryParseJson } from '@/lib/json/exact';
import type { Log } from '@/lib/store/log';
import type { Held } from '@/lib/store/state/interception-state';
import { countOf, formatBytes } from '@/lib/wire/format';
import type { HoldDecision, PassingKind } from '@/lib/wire/intercept';
import { ErrorFields } from './answer-fields';
import { canJoin, delayOf, editableText, heldSubject, type Proposal, proposalOf, usualResult } from './held-decision';
import { type HeldEdit, type Instead, useHeldEdit } from './held-edits';
import { type HeldText, useHeldText } from './use-decisions';

const JsonEditor = lazyWhenIdle(() => import('@/components/editor/json-editor').then((file) => file.JsonEditor));

/** Longest message that can be edited here, in characters: the editor stalls on a longer line. */
const MOST_EDITED = 500_000;

/** Longest text about a cancellation, in characters. */
const MOST_REASON = 500;

interface HeldDetailProps {
  readonly log: Log;
  readonly held: Held;
  /** The log's clock in µs. */
  readonly now: number;
  /** Why nothing can be decided now. */
  readonly closed: string | undefined;
  readonly onDecide: (decision: HoldDecision) => void;
}

/** One message that waits: its exact text, and what can be done with it. */
export function HeldDetail(props: HeldDetailProps) {
  const { log, held, now, closed } = props;
  const read = useHeldText(log, held.hold, closed === undefined);
  const { name } = held;
  // Taps of an older version don't name it.
  const subject = useMemo(() => name ?? (read && 'text' in read ? heldSubject(read.text) : undefined), [name, read]);
  return (
    <section aria-label="Held message" className="flex min-h-0 flex-1 flex-col">
      <header className="flex flex-wrap items-center gap-x-2 px-3 pt-2">
        <h2 className="min-w-0 truncate font-mono font-medium">{visibleText(heldName(held).slice(0, 200))}</h2>
        {subject !== undefined && (
          <bdi className="min-w-0 truncate font-mono text-wire text-muted">{visibleText(subject)}</bdi>
        )}
        <Badge tone="accent">{held.ms === undefined ? `held ${waitWords(held, now)}` : waitWords(held, now)}</Badge>
        <span className="flex-1" />
        <span className="text-small">
          <FrameLink seq={held.seq} label="held in" />
        </span>
      </header>
      <p className="px-3 text-small text-muted">
        {visibleText(heldFacts(held))} · by rule “{visibleText(held.rule)}”
        {held.progressSeq !== undefined && (
          <>
            {' · keeping the request alive with progress messages '}
            <FrameLink seq={held.progressSeq} label="Last progress notification" short />
          </>
        )}
      </p>
      {held.givenUp && (
        <p role="status" className="px-3 break-words text-warn">
          ! {visibleText(givenUpWords(held, now).slice(0, MOST_REASON))}{' '}
          <FrameLink seq={held.givenUp.seq} label="cancelled in" />
        </p>
      )}
      {read === undefined ? (
        <p className="flex items-center gap-2 p-3 text-muted">
          {closed ?? (
            <>
              <Spinner /> Reading the message…
            </>
          )}
        </p>
      ) : 'code' in read ? (
        <div className="p-3">
          <ErrorNote failure={read} />
        </div>
      ) : (
        <HeldEditor key={held.hold} {...props} read={read} />
      )}
    </section>
  );
}

const ANSWERS: readonly Instead[] = ['Message', 'Result', 'Error'];
/** Contents that can be edited. For other kinds, only the message can. */
const INSTEAD: Readonly<Partial<Record<PassingKind, readonly Instead[]>>> = {
  request: ANSWERS,
  response: ANSWERS,
  error: ANSWERS,
};
const ONLY_MESSAGE: readonly Instead[] = ['Message'];

const PRIMARY: Readonly<Record<Instead, Readonly<Record<'request' | 'other', string>>>> = {
  Message: { request: 'Release', other: 'Release' },
  Result: { request: 'Answer with this result', other: 'Release with this result' },
  Error: { request: 'Answer with this error', other: 'Release with this error' },
};

function HeldEditor({ log, held, closed, read, ...props }: HeldDetailProps & { readonly read: HeldText }) {
  const { edit, change, forget } = useHeldEdit(log, held.hold);
  const onDecide = (decision: HoldDecision) => {
    forget();
    props.onDecide(decision);
  };
  const { kind } = held;
  const views = INSTEAD[kind] ?? ONLY_MESSAGE;
  const proposal = useMemo(() => proposalOf(edit, read.text, held.method), [edit, read.text, held.method]);
  const isEdited = proposal.decision?.do === 'release' && proposal.decision.text !== undefined;
  const decide = () => proposal.decision && closed === undefined && onDecide(proposal.decision);
  const label = isEdited ? 'Release edited' : PRIMARY[edit.instead][kind === 'request' ? 'request' : 'other'];
  // The next held message comes into view.
  useShortcuts(closed === undefined ? [{ keys: RELEASE_KEYS, title: `${label}, and show the next`, run: decide }] : []);
  return (
    <>
      <div className="flex min-h-0 flex-1 flex-col gap-1 overflow-auto px-3 py-1">
        <div className="flex flex-wrap items-center gap-2">
          {views.length > 1 && (
            <Segmented
              label={kind === 'request' ? 'Release or answer' : 'Content of the response'}
              names={views}
              chosen={edit.instead}
              onChoose={(instead) => change({ instead })}
            />
          )}
          <span className="text-small text-muted">
            {edit.instead === 'Message' && !isEdited
              ? AS_IT_CAME
              : INSTEAD_WORDS[edit.instead][kind === 'request' ? 0 : 1]}
          </span>
        </div>
        {edit.instead === 'Message' && <MessageFields {...{ read, edit, change, decide, proposal, isEdited }} />}
        {edit.instead === 'Result' && (
          <>
            <Editor
              label="Result"
              text={edit.result ?? usualResult(held.method)}
              onChange={(result) => change({ result })}
              onSubmit={decide}
            />
            {proposal.faults?.result && <p className="text-small text-error">× {proposal.faults.result}</p>}
          </>
        )}
        {edit.instead === 'Error' && (
          <ErrorFields fields={edit} faults={proposal.faults} onChange={change} onSubmit={decide} />
        )}
      </div>
      <ActionBar
        {...{ edit, change, label, closed, onDecide, isEdited }}
        canDecide={proposal.decision !== undefined}
        decide={decide}
      />
    </>
  );
}

const AS_IT_CAME = 'The receiver gets the message byte for byte, until you edit it';

const INSTEAD_WORDS: Readonly<Record<Instead, readonly [request: string, response: string]>> = {
  Message: ['The receiver gets this', 'The receiver gets this'],
  Result: ['You answer, and the receiver never sees the request', 'This result takes the place of the response'],
  Error: ['You answer, and the receiver never sees the request', 'This error takes the place of the response'],
};

interface MessageFieldsProps {
  readonly read: HeldText;
  readonly edit: HeldEdit;
  readonly change: (changes: Partial<HeldEdit>) => void;
  readonly decide: () => void;
  readonly proposal: Proposal;
  readonly isEdited: boolean;
}

/** The text of the message, formatted unless the user wants to see it as sent, and remarks about it. */
function MessageFields({ read, edit, change, decide, proposal, isEdited }: MessageFieldsProps) {
  const readable = useMemo(() => (read.text.length > MOST_EDITED ? '' : editableText(read.text)), [read.text]);
  if (read.text.length > MOST_EDITED) {
    return (
      <p className="text-muted">
        This message is too long to edit here ({formatBytes(read.text.length)}). You can release, drop or answer it.
      </p>
    );
  }
  const unchanged = edit.asSent ? read.text : readable;
  const text = edit.text ?? unchanged;
  const set = (next: string) => change({ text: next === unchanged ? undefined : next });
  const parsed = tryParseJson(text);
  const lines = text.split('\n').length;
  return (
    <>
      <Editor
        label="Text of the message"
        text={text}
        onChange={(next) => next !== text && set(next)}
        onSubmit={decide}
      />
      <div className="flex min-h-7 flex-wrap items-center gap-x-3">
        {edit.text !== undefined ? (
          <Button size="small" disabled={!parsed.ok} onClick={() => set(prettyJson(text))}>
            Format
          </Button>
        ) : (
          readable !== read.text && (
            <Button size="small" onClick={() => change({ asSent: !edit.asSent })}>
              {edit.asSent ? 'Format' : 'Show as sent'}
            </Button>
          )
        )}
        {edit.text !== undefined && (
          <Button size="small" onClick={() => change({ text: undefined })}>
            Undo changes
          </Button>
        )}
        {canJoin(text) && (isEdited || !canJoin(read.text)) && (
          <Checkbox
            label="Send as one line"
            checked={edit.joins}
            // To send these lines is an edit.
            onChange={(joins) => change({ joins, text: joins && text === unchanged ? undefined : text })}
          />
        )}
        <span role="status" className="text-small">
          {!parsed.ok && edit.text !== undefined && <span className="text-warn">! Not JSON. It is sent as it is</span>}
          {!parsed.ok && edit.text === undefined && <span className="text-warn">! Not JSON</span>}
          {edit.text !== undefined && lines > 1 && !(edit.joins && parsed.ok) && (
            <span className="text-warn"> ! {countOf(lines, 'line')}, but a message is one line on stdio</span>
          )}
          {read.invalidUtf8 && (
            <span className="text-warn"> ! Not valid UTF-8. Release keeps the bytes, an edit replaces them</span>
          )}
          {proposal.faults?.text && <span className="text-error">× {proposal.faults.text}</span>}
        </span>
      </div>
    </>
  );
}

function Editor(props: {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
}) {
  return (
    <Suspense fallback={<div className="min-h-24 flex-1 border border-line" />}>
      <JsonEditor {...props} className="min-h-24 flex-1" />
    </Suspense>
  );
}

interface ActionBarProps {
  readonly edit: HeldEdit;
  readonly change: (changes: Partial<HeldEdit>) => void;
  /** Label of the primary button. */
  readonly label: string;
  readonly canDecide: boolean;
  readonly decide: () => void;
  readonly closed: string | undefined;
  readonly isEdited: boolean;
  readonly onDecide: (decision: HoldDecision) => void;
}

/** The buttons. Those beside the first one act on the message as it came. */
function ActionBar({ edit, change, label, canDecide, decide, closed, isEdited, onDecide }: ActionBarProps) {
  const blocked = closed !== undefined;
  const asItCame = isEdited ? 'Without your edit' : undefined;
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-1.5 border-t border-line px-3 py-1.5">
      <Button variant="primary" disabled={blocked || !canDecide} title={closed} onClick={decide}>
        {label}
      </Button>
      <span aria-hidden="true" className="narrow:hidden">
        <KeyHint keys={RELEASE_KEYS} />
      </span>
      {(isEdited || edit.instead !== 'Message') && (
        <Button disabled={blocked} title={closed} onClick={() => onDecide({ do: 'release' })}>
          Release original
        </Button>
      )}
      <Button disabled={blocked} title={closed} onClick={() => onDecide({ do: 'drop' })}>
        Drop
      </Button>
      <span aria-hidden="true" className="narrow:hidden">
        <KeyHint keys={DROP_KEYS} />
      </span>
      <Button disabled={blocked} title={closed ?? asItCame} onClick={() => onDecide({ do: 'duplicate' })}>
        Duplicate
      </Button>
      {edit.delay === undefined ? (
        <Button disabled={blocked} title={closed ?? asItCame} onClick={() => change({ delay: '3000' })}>
          Delay…
        </Button>
      ) : (
        <DelayField
          ms={edit.delay}
          blocked={blocked}
          onChange={(delay) => change({ delay })}
          onDelay={(ms) => onDecide({ do: 'delay', ms })}
        />
      )}
      <Menu
        label="More actions"
        className={MENU_BUTTON}
        items={() => [
          {
            label: 'Drop it and end the stream',
            run: () => {
              if (!blocked) onDecide({ do: 'cut' });
            },
          },
        ]}
      >
        More <Icon name="down" />
      </Menu>
      {closed !== undefined && <span className="text-small text-muted">{closed}</span>}
    </div>
  );
}

function DelayField({
  ms: text,
  blocked,
  onChange,
  onDelay,
}: {
  readonly ms: string;
  readonly blocked: boolean;
  readonly onChange: (ms: string | undefined) => void;
  readonly onDelay: (ms: number) => void;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const ms = delayOf(text);
  useEffect(() => moveFocus(input.current), []);
  return (
    <form
      className="flex items-center gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (ms !== undefined && !blocked) onDelay(ms);
      }}
    >
      <label htmlFor={id} className="text-muted">
        Delay in ms
      </label>
      <TextInput
        id={id}
        ref={input}
        inputMode="numeric"
        value={text}
        onChange={onChange}
        aria-invalid={ms === undefined}
        className="w-20!"
      />
      <Button type="submit" disabled={blocked || ms === undefined}>
        Delay
      </Button>
      <Button variant="ghost" onClick={() => onChange(undefined)}>
        Cancel
      </Button>
    </form>
  );
}
