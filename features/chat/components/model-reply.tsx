import { useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/notices';
import { PreformattedText, UntrustedText } from '@/components/untrusted/untrusted-text';
import type { SamplingChoice } from '@/features/chat/lib/chat-api';
import type { ChatSettings } from '@/features/chat/lib/chat-frame';
import { type AnswerTurn, writtenText } from '@/features/chat/lib/chat-state';
import { ModelError } from '@/features/chat/lib/model';
import { samplingAnswerIn, samplingResult } from '@/features/chat/lib/sampling-result';
import { useDraft } from '@/lib/hooks/drafts';
import { navigate } from '@/lib/hooks/location';
import { useLog, useLogState } from '@/lib/hooks/log';
import { formatCount, formatDuration } from '@/lib/wire/format';
import type { Failure, ProtocolVersion } from '@/lib/wire/lifecycle';
import type { ReplyProps } from '../../page-feature';
import { AnswerEnd } from './model/answer-end';
import { modelNameProblem } from './model/model-name';
import { SamplingSettings, useFirstSampling } from './model/sampling-settings';
import { useChat } from './use-chat';
import { useAskChats, useSampling } from './use-chats';

/** Lets a model write the reply to a sampling request. The person sees it before the server does. */
export function ModelReply(props: ReplyProps) {
  const { log, question, copy, waits } = props;
  const { connection } = log;
  const sampling = useSampling(connection);
  const ask = useAskChats();
  const first = useFirstSampling();
  const [draft, setDraft] = useDraft<ChatSettings | null>('sampling-settings', null);
  const [failure, setFailure] = useState<Failure>();
  const [isSending, setSending] = useState(false);
  if (!sampling) return null;
  const { summary, choose } = sampling;
  const choice: SamplingChoice = summary?.sampling ?? { mode: 'ask', settings: first };
  const settings = draft ?? choice.settings;
  const about = { connection, id: question.id, ...(question.input !== undefined && { key: question.input }) };
  const carryOut = async (work: () => Promise<unknown>) => {
    setFailure(undefined);
    setSending(true);
    try {
      await work();
    } catch (error) {
      setFailure(error as Failure);
    }
    setSending(false);
  };
  const onAsk = () =>
    carryOut(async () => {
      if (!summary || JSON.stringify(settings) !== JSON.stringify(choice.settings)) {
        await choose({ mode: choice.mode, settings });
      }
      await ask({ kind: 'complete', ...about, ...(copy !== undefined && { params: copy }) });
    });
  const controls = (turn: AnswerTurn | undefined) =>
    waits && (
      <AskModel
        settings={settings}
        onChange={setDraft}
        turn={turn}
        busy={isSending}
        onAsk={() => void onAsk()}
        onCancel={() => void carryOut(() => ask({ kind: 'stop', ...about }))}
      />
    );
  return (
    <section
      aria-label="Reply of a model"
      className="flex min-w-0 empty:hidden flex-col gap-2 border-l-2 border-line pl-3"
    >
      {summary ? <Completions {...props} chat={summary.id} controls={controls} /> : controls(undefined)}
      {failure && <ErrorNote failure={failure} />}
    </section>
  );
}

/** The model, and the button that asks it. */
function AskModel({
  settings,
  onChange,
  turn,
  busy,
  onAsk,
  onCancel,
}: {
  readonly settings: ChatSettings;
  readonly onChange: (settings: ChatSettings) => void;
  /** The last answer of the model for this question. */
  readonly turn: AnswerTurn | undefined;
  readonly busy: boolean;
  readonly onAsk: () => void;
  readonly onCancel: () => void;
}) {
  const problem = modelNameProblem(settings.model);
  const [wantsModel, setWantsModel] = useState(false);
  const isWriting = turn !== undefined && turn.end === undefined;
  if (settings.model === '' && turn === undefined && !wantsModel) {
    return (
      <p className="text-muted">
        Reply yourself, or{' '}
        <button type="button" className="text-link" onClick={() => setWantsModel(true)}>
          ask a model…
        </button>
      </p>
    );
  }
  return (
    <>
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        {isWriting ? (
          <Button onClick={onCancel}>Cancel the model</Button>
        ) : (
          <Button disabled={busy || problem !== undefined} onClick={onAsk}>
            {turn ? 'Ask the model again' : 'Ask a model'}
          </Button>
        )}
        <span className="min-w-0 truncate font-mono text-wire text-muted">
          <UntrustedText text={settings.model} limit={100} />
        </span>
      </div>
      <details open={wantsModel || settings.model === ''} className="min-w-0">
        <summary className="min-h-6 cursor-pointer text-small leading-6 text-muted">Model and limits</summary>
        <div className="pt-1 pb-2">
          <SamplingSettings settings={settings} onChange={onChange} />
        </div>
      </details>
    </>
  );
}

/** The newest answer of a model to a question. */
function Completions({
  log,
  question,
  waits,
  reply,
  untouched,
  onFill,
  chat,
  controls,
}: ReplyProps & {
  /** Id of the log of the server's sampling requests. */
  readonly chat: string;
  readonly controls: (turn: AnswerTurn | undefined) => React.ReactNode;
}) {
  const { state, version } = useChat(useLog(chat));
  const negotiated = useLogState(log, ({ connection }) => connection.version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state changes in place
  const turn = useMemo(() => {
    const ids = state.sampling.filter((id) => {
      const { from } = state.turns.get(id) as AnswerTurn;
      return from?.connection === log.connection && from.seq === question.seq && from.input === question.input;
    });
    return state.turns.get(ids.at(-1) ?? '') as AnswerTurn | undefined;
  }, [state, version, log, question]);
  const ended = turn?.end !== undefined;
  const result = useMemo(() => (turn && ended ? resultOf(turn, negotiated) : undefined), [turn, ended, negotiated]);
  const text = typeof result === 'string' ? result : undefined;
  const filled = useRef<string>(undefined);
  useEffect(() => {
    if (!waits || text === undefined || filled.current === text) return;
    // Typed text stays; a button replaces it.
    if (reply === untouched || reply === filled.current) {
      filled.current = text;
      onFill(text);
    }
  }, [waits, text, reply, untouched, onFill]);
  if (!turn) return controls(undefined);
  return (
    <>
      {controls(turn)}
      {!ended && writtenText(turn) !== '' && <PreformattedText text={writtenText(turn)} />}
      <AnswerEnd turn={turn} version={turn.version} />
      {typeof result === 'object' && <ErrorNote failure={result} />}
      <p className="flex min-w-0 flex-wrap items-center gap-x-2 text-small text-muted">
        {text !== undefined && <Written turn={turn} />}
        {waits && text !== undefined && reply !== text && (
          <Button size="small" onClick={() => onFill(text)}>
            Use the model’s answer
          </Button>
        )}
        <button type="button" className="text-link" onClick={() => navigate({ panel: 'chat', item: chat })}>
          Show what the model got
        </button>
      </p>
    </>
  );
}

function Written({ turn }: { readonly turn: AnswerTurn }) {
  const { requests, usage, settings } = turn;
  const milliseconds = requests.reduce((sum, { response }) => sum + (response?.milliseconds ?? 0), 0);
  return (
    <span role="status" className="tabular">
      Written by <UntrustedText text={settings?.model ?? ''} limit={100} className="font-mono" />
      {milliseconds > 0 && ` in ${formatDuration(milliseconds * 1000)}`}
      {usage.inputTokens !== undefined && `, ${formatCount(usage.inputTokens)} tokens in`}
      {usage.outputTokens !== undefined && `, ${formatCount(usage.outputTokens)} out`}
    </span>
  );
}

/** Returns the result for the server as JSON text; why there is none; undefined if the answer failed. */
function resultOf(turn: AnswerTurn, version: string | undefined): string | Failure | undefined {
  const answer = samplingAnswerIn(turn);
  if (answer === undefined) return undefined;
  try {
    return JSON.stringify(samplingResult(answer, version as ProtocolVersion), null, 2);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const { code, message, advice } = error;
    return { code, message, advice };
  }
}
