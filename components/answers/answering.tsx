import { type ReactNode, useCallback, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/notices';
import { KeyHint, useShortcuts } from '@/components/ui/shortcuts';
import { type CommandBody, useClient } from '@/lib/hooks/client';
import { useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import type { JsonSource } from '@/lib/json/source';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import type { Question } from '@/lib/store/state/state';
import type { QuestionAnswer } from '@/lib/wire/message';
import type { Failure } from '@/lib/wire/lifecycle';

/** The props of every kind of question. */
export interface QuestionProps {
  readonly log: Log;
  readonly question: Question;
  readonly params: JsonSource | undefined;
  /** Key of the draft answer. */
  readonly draft: string;
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
  readonly answer: (answer: QuestionAnswer) => void;
  /** Cancels the call that needs the input (2026-07-28); undefined for a request of the server. */
  readonly giveUp: (() => void) | undefined;
  /** True once an answer was sent, until it fails. */
  readonly busy: boolean;
  readonly failure: Failure | undefined;
}

/** Answers a question. The page stays on it, to show the outcome. */
export function useAnswer(log: Log, { id, input, key, status }: Question): Answering {
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
      navigate({ item: key }, { replace: true });
      try {
        await client.send(command);
      } catch (failure) {
        setFailure(failure as Failure);
        underWay.current = false;
        setBusy(false);
      }
    },
    [client, navigate, key],
  );
  return {
    waits: open && status === 'waiting',
    answer: (answer) =>
      void carryOut({ type: 'answer', connection, id, ...(input !== undefined && { key: input }), answer }),
    giveUp: input === undefined ? undefined : () => void carryOut({ type: 'cancel', connection, id }),
    busy,
    failure,
  };
}

interface AnswerBarProps {
  readonly answering: Answering;
  /** Label of the first button: `Accept`. */
  readonly action: string;
  readonly onAction: () => void;
  /** Why it can't be sent now. */
  readonly blocked?: string;
  /** Buttons for other answers. */
  readonly others: readonly { readonly label: string; readonly title: string; readonly run: () => void }[];
  /** The problem count. */
  readonly aside?: ReactNode;
}

/** The answer buttons. `blocked` disables only the first one, so that the user can always refuse. */
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
          <Button variant="ghost" title="Cancel the call without answering" onClick={giveUp} disabled={busy}>
            Cancel the call
          </Button>
        )}
        {aside}
        {blocked !== undefined && <span className="text-small text-muted">{blocked}</span>}
      </div>
      {failure && <ErrorNote failure={failure} />}
    </div>
  );
}
