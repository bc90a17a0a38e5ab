import { type KeyboardEvent, type ReactNode, useCallback, useRef, useState } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { Button, CopyButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { isSendKey, SEND_KEYS } from '@/components/ui/key-press';
import { MENU_BUTTON, Menu } from '@/components/ui/menu';
import { ErrorNote } from '@/components/ui/notices';
import { pageFocus } from '@/components/ui/page-focus';
import { KeyHint, useShortcuts } from '@/components/ui/shortcuts';
import { markAnswered, markStored } from '@/lib/hooks/answered-questions';
import { type CommandBody, useClient } from '@/lib/hooks/client';
import { useLocation } from '@/lib/hooks/location';
import type { JsonSource } from '@/lib/json/source';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import type { Question } from '@/lib/store/state/state';
import type { Failure } from '@/lib/wire/lifecycle';
import type { QuestionAnswer } from '@/lib/wire/message';
import { type OverForm, useOver, useTakesAnswers } from './question-over';

/** The props of every kind of question. */
export interface QuestionProps {
  readonly log: Log;
  readonly question: Question;
  /** The request's params, or the user's edited copy. */
  readonly params: JsonSource | undefined;
  /** The user's edited copy, if the answer is for it. */
  readonly copy: string | undefined;
  /** Key of the draft answer. */
  readonly draft: string;
  readonly answering: PendingAnswer;
}

/** Returns a question's params as the server wrote them; undefined if there are none. */
export function questionParams(log: Log, { seq, id, input }: Question): JsonSource | undefined {
  const message = messageSource(log, seq, id);
  if (input === undefined) return message?.member('params');
  return message?.member('result')?.member('inputRequests')?.member(input)?.member('params');
}

/** Returns a string member; '' if it is missing or not a string. */
export function textMember(params: JsonSource | undefined, name: string): string {
  const value = params?.kind === 'object' ? params.member(name)?.value : undefined;
  return typeof value === 'string' ? value : '';
}

/** Sends answers to one question, and holds why the last one failed. */
export interface PendingAnswer {
  /** True while the question can be answered. */
  readonly waits: boolean;
  /** The question is gone, but its form stays: somebody types there, or has typed. */
  readonly over: OverForm | undefined;
  /** seq of the answer that was sent although nobody waited for it. */
  readonly sentSeq: number | undefined;
  /** `always`: the same question is answered like this from now on. */
  readonly answer: (answer: QuestionAnswer, always?: true) => void;
  /** Cancels the call that needs the input (2026-07-28); undefined for a request of the server. */
  readonly giveUp: (() => void) | undefined;
  /** True once an answer was sent, until it fails. */
  readonly busy: boolean;
  readonly failure: Failure | undefined;
  /** True if the question may get a standing answer. */
  readonly mayStand: boolean;
  /** The form is within another panel, whose keys it must leave alone. */
  readonly inline: boolean;
}

/** Answers a question. The Inbox stays on it, to show the outcome. */
export function useAnswer(log: Log, question: Question, mayStand: boolean, inline: boolean): PendingAnswer {
  const { id, input, key, status } = question;
  const client = useClient();
  const { navigate } = useLocation();
  const [failure, setFailure] = useState<Failure>();
  const { connection } = log;
  const [busy, setBusy] = useState(false);
  const [sentSeq, setSentSeq] = useState<number>();
  const waits = useTakesAnswers(log) && status === 'waiting';
  const wasOpen = useRef(waits);
  if (waits) wasOpen.current = true;
  const over = useOver(log, question, wasOpen.current);
  // A double click comes before the next render.
  const underWay = useRef(false);
  const carryOut = useCallback(
    async (command: CommandBody) => {
      if (underWay.current) return;
      underWay.current = true;
      setBusy(true);
      setFailure(undefined);
      if (!inline) navigate({ item: key }, { replace: true });
      const ends = command.type !== 'send-raw';
      // Its frame may come before the command is done.
      if (ends) markAnswered(connection, key, true);
      try {
        const done = await client.send(command);
        if (command.type === 'answer' && command.always) markStored(connection, key);
        if (command.type === 'send-raw') setSentSeq(done.seq);
      } catch (failure) {
        setFailure(failure as Failure);
        if (ends) markAnswered(connection, key, false);
        underWay.current = false;
        setBusy(false);
      }
    },
    [client, connection, navigate, key, inline],
  );
  return {
    waits,
    over,
    sentSeq,
    answer: (answer, always) =>
      void carryOut(
        over
          ? { type: 'send-raw', connection, text: lateResponse(log, question, answer), terminate: true }
          : {
              type: 'answer',
              connection,
              id,
              answer,
              ...(input !== undefined && { key: input }),
              ...(always && { always }),
            },
      ),
    giveUp: input === undefined ? undefined : () => void carryOut({ type: 'cancel', connection, id }),
    busy,
    failure,
    mayStand,
    inline,
  };
}

/** Returns a response to a request that its sender no longer waits for, with its id exactly as the server wrote it. */
export function lateResponse(log: Log, { seq, id }: Question, answer: QuestionAnswer): string {
  const idText = messageSource(log, seq, id)?.member('id')?.text ?? JSON.stringify(id);
  const body = 'error' in answer ? `"error":${JSON.stringify(answer.error)}` : `"result":${answer.result}`;
  return `{"jsonrpc":"2.0","id":${idText},${body}}`;
}

/** A way to answer. */
export interface AnswerAction {
  /** Label of the button: `Accept`. */
  readonly label: string;
  readonly title?: string;
  readonly run: (always?: true) => void;
  /** Label of the menu item that makes it a standing answer: `Always decline`. Absent: it can't be one. */
  readonly always?: string;
}

interface AnswerFormProps {
  readonly answering: PendingAnswer;
  readonly main: AnswerAction;
  /** Why `main` can't be sent now. The others always can. */
  readonly blocked?: string;
  readonly others: readonly AnswerAction[];
  /** The person's text. Absent: the answer has none. */
  readonly draft?: { readonly text: string; readonly isSendable: boolean };
  /** Sends the draft to a server that no longer waits for it. */
  readonly sendAnyway: () => void;
  /** The problem count. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/**
 * A form with its answer buttons. ⌘↵ or Ctrl+Enter sends it: in the Inbox from anywhere, elsewhere from inside. When
 * the question is gone, the buttons do nothing, but stay where they are, so that the focus does too.
 */
export function AnswerForm(props: AnswerFormProps) {
  const { answering, main, blocked, others, aside, children } = props;
  const { waits, over, giveUp, busy, failure, mayStand, inline } = answering;
  const isOff = busy || over !== undefined;
  const typed = useRef(false);
  const send = () => {
    // The key that made the call may be pressed twice. The second one must not answer what nobody has read.
    const isUnread = inline && !typed.current && pageFocus.isJustMoved;
    if (waits && blocked === undefined && !isUnread) main.run();
  };
  useShortcuts(inline ? [] : [{ keys: SEND_KEYS, title: main.label, run: send }]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!inline || !isSendKey(event) || event.isDefaultPrevented()) return;
    event.preventDefault();
    if (!event.repeat) send();
  };
  const standing = mayStand && !over ? [main, ...others].filter(({ always }) => always !== undefined) : [];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles a key of the fields inside
    <div
      onKeyDown={onKeyDown}
      onInput={() => {
        typed.current = true;
      }}
      className="flex min-w-0 flex-col gap-3"
    >
      {children}
      {(waits || over) && (
        // The scrolled region has 12 px of padding.
        <div className="sticky -bottom-3 z-1 -mx-0.5 -mb-3 flex flex-wrap items-center gap-2 border-t border-line bg-bg px-0.5 pt-2 pb-3">
          {over && <OverNote {...props} over={over} />}
          <Button variant="primary" onClick={() => main.run()} disabled={isOff || blocked !== undefined}>
            {main.label}
          </Button>
          {!over && (
            <span aria-hidden="true" className="max-[640px]:hidden">
              <KeyHint keys={SEND_KEYS} />
            </span>
          )}
          {others.map(({ label, title, run }) => (
            <Button key={label} title={title} onClick={() => run()} disabled={isOff}>
              {label}
            </Button>
          ))}
          {giveUp && (
            <Button variant="ghost" title="Cancel the call without answering" onClick={giveUp} disabled={isOff}>
              Cancel the call
            </Button>
          )}
          {standing.length > 0 && (
            <Menu
              label="Always answer like this"
              items={() => standing.map(({ always, run }) => ({ label: always, run: () => !busy && run(true) }))}
              className={MENU_BUTTON}
            >
              Always <Icon name="down" />
            </Menu>
          )}
          {aside}
          {blocked !== undefined && !over && <span className="text-small text-muted">{blocked}</span>}
        </div>
      )}
      {failure && <ErrorNote failure={failure} />}
    </div>
  );
}

/** Says why the question is gone, with what can be done with the draft. */
function OverNote({ answering, over, draft, sendAnyway }: AnswerFormProps & { readonly over: OverForm }) {
  const { busy, sentSeq } = answering;
  return (
    <div className="flex min-w-0 basis-full flex-wrap items-center gap-2 border-l-2 border-warn bg-warn/8 px-3 py-1">
      <p role="status" className="min-w-0">
        <span className="text-warn">! {over.sentence}</span>
        {sentSeq !== undefined && (
          <>
            {'. Your answer was sent in '}
            <FrameLink seq={sentSeq} label="Late answer" short />
          </>
        )}
      </p>
      <span className="flex gap-2">
        {draft && <CopyButton label="Copy" text={() => draft.text} />}
        {over.canSend && sentSeq === undefined && (
          <Button
            size="small"
            disabled={busy || draft?.isSendable === false}
            title="The server has stopped waiting, and may ignore it"
            onClick={sendAnyway}
          >
            Send anyway
          </Button>
        )}
      </span>
    </div>
  );
}
