import { type KeyboardEvent, type ReactNode, useCallback, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { MENU_BUTTON, Menu } from '@/components/ui/menu';
import { ErrorNote } from '@/components/ui/notices';
import { KeyHint, useShortcuts } from '@/components/ui/shortcuts';
import { type CommandBody, useClient } from '@/lib/hooks/client';
import { useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import { markStored } from '@/lib/hooks/stored-answers';
import type { JsonSource } from '@/lib/json/source';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import type { Question } from '@/lib/store/state/state';
import type { Failure } from '@/lib/wire/lifecycle';
import type { QuestionAnswer } from '@/lib/wire/message';

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
  readonly answering: Answering;
}

/** Returns a question's params as the server wrote them; undefined if there are none. */
export function paramsOf(log: Log, { seq, id, input }: Question): JsonSource | undefined {
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
export interface Answering {
  /** True while the question can be answered. */
  readonly waits: boolean;
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
export function useAnswer(
  log: Log,
  { id, input, key, status }: Question,
  mayStand: boolean,
  inline: boolean,
): Answering {
  const client = useClient();
  const { navigate } = useLocation();
  // Without a handshake the user answers with raw messages.
  const open = useLogState(
    log.whole,
    ({ connection }) => connection.state === 'open' && connection.start?.protocol !== 'none',
  );
  const [failure, setFailure] = useState<Failure>();
  const { connection } = log;
  const [busy, setBusy] = useState(false);
  // A double click comes before the next render.
  const underWay = useRef(false);
  const carryOut = useCallback(
    async (command: CommandBody) => {
      if (underWay.current) return;
      underWay.current = true;
      setBusy(true);
      setFailure(undefined);
      if (!inline) navigate({ item: key }, { replace: true });
      try {
        await client.send(command);
        if (command.type === 'answer' && command.always) markStored(connection, key);
      } catch (failure) {
        setFailure(failure as Failure);
        underWay.current = false;
        setBusy(false);
      }
    },
    [client, connection, navigate, key, inline],
  );
  return {
    waits: open && status === 'waiting',
    answer: (answer, always) =>
      void carryOut({
        ...{ type: 'answer', connection, id, answer },
        ...(input !== undefined && { key: input }),
        ...(always && { always }),
      }),
    giveUp: input === undefined ? undefined : () => void carryOut({ type: 'cancel', connection, id }),
    busy,
    failure,
    mayStand,
    inline,
  };
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
  readonly answering: Answering;
  readonly main: AnswerAction;
  /** Why `main` can't be sent now. The others always can. */
  readonly blocked?: string;
  readonly others: readonly AnswerAction[];
  /** The problem count. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A form with its answer buttons. ⌘↵ or Ctrl+Enter sends it: in the Inbox from anywhere, elsewhere from inside. */
export function AnswerForm({ answering, main, blocked, others, aside, children }: AnswerFormProps) {
  const { waits, giveUp, busy, failure, mayStand, inline } = answering;
  const send = () => waits && blocked === undefined && main.run();
  useShortcuts(inline ? [] : [{ keys: 'mod+enter', title: main.label, whileTyping: true, run: send }]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!inline || event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.isDefaultPrevented()) return;
    event.preventDefault();
    send();
  };
  const standing = mayStand ? [main, ...others].filter(({ always }) => always !== undefined) : [];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles a key of the fields inside
    <div onKeyDown={onKeyDown} className="flex min-w-0 flex-col gap-3">
      {children}
      {waits && (
        // The scrolled region has 12 px of padding.
        <div className="sticky -bottom-3 z-1 -mx-0.5 -mb-3 flex flex-wrap items-center gap-2 border-t border-line bg-bg px-0.5 pt-2 pb-3">
          <Button variant="primary" onClick={() => main.run()} disabled={busy || blocked !== undefined}>
            {main.label}
          </Button>
          <span aria-hidden="true" className="max-[640px]:hidden">
            <KeyHint keys="⌘↵" />
          </span>
          {others.map(({ label, title, run }) => (
            <Button key={label} title={title} onClick={() => run()} disabled={busy}>
              {label}
            </Button>
          ))}
          {giveUp && (
            <Button variant="ghost" title="Cancel the call without answering" onClick={giveUp} disabled={busy}>
              Cancel the call
            </Button>
          )}
          {standing.length > 0 && (
            <Menu
              label="Always answer like this"
              items={() => standing.map(({ always, run }) => ({ label: always, run: () => !busy && run(true) }))}
              className={MENU_BUTTON}
            >
              Always ▾
            </Menu>
          )}
          {aside}
          {blocked !== undefined && <span className="text-small text-muted">{blocked}</span>}
        </div>
      )}
      {failure && <ErrorNote failure={failure} />}
    </div>
  );
}
