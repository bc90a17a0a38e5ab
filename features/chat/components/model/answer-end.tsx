import { useEffect, useState } from 'react';
import { ErrorNote, Spinner } from '@/components/ui/notices';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { ChatFailure } from '@/features/chat/lib/chat-frame';
import type { AnswerTurn, ChatRetry } from '@/features/chat/lib/chat-state';
import { countOf } from '@/lib/wire/format';

interface AnswerEndProps {
  readonly turn: AnswerTurn;
  /** Changes with the turn, whose parts change in place. */
  readonly version: number;
}

/** Says how an answer of a model ended, or what it waits for, and which of its requests were sent again. */
export function AnswerEnd({ turn }: AnswerEndProps) {
  const { end, requests, calls } = turn;
  const last = requests.at(-1);
  if (!end) {
    const retry = last && last.blocks.length === 0 && !last.response ? last.retries.at(-1) : undefined;
    if (retry) return <Retrying key={retry.seq} retry={retry} />;
    if (calls.some(({ result, decision, asked }) => !result && !decision && asked)) return null;
    return (
      <p role="status" className="flex min-h-6 items-center gap-2 text-small text-muted">
        <Spinner />
        {last === undefined ? 'Starting' : last.response ? 'Running calls' : 'Waiting for the model'}
      </p>
    );
  }
  const retries = requests.flatMap((request) => request.retries);
  const word = end.failure ? undefined : END_WORDS[end.reason];
  return (
    <>
      {retries.length > 0 && <Retried retries={retries} isOpen={end.reason === 'cancelled'} />}
      {end.failure && (
        <div className="mt-1">
          {end.reason === 'limit' ? <LimitNote failure={end.failure} /> : <ErrorNote failure={end.failure} />}
        </div>
      )}
      {word !== undefined && <p className="mt-1 text-small text-warn">! {word}</p>}
    </>
  );
}

const END_WORDS: Readonly<Record<string, string>> = {
  cancelled: 'Cancelled',
  length: 'Cut: the limit of output tokens is reached',
  refusal: 'The model refused to answer',
  error: 'The answer failed',
  limit: 'A limit is reached',
};

function LimitNote({ failure }: { readonly failure: ChatFailure }) {
  return (
    <div role="alert" className="border-l-2 border-warn bg-warn/6 px-3 py-2">
      <p className="font-medium text-warn">! {failure.message}</p>
      <p>{failure.advice}</p>
    </div>
  );
}

/** Failures after which a request was sent again. The last one is why somebody cancelled it. */
function Retried({ retries, isOpen }: { readonly retries: readonly ChatRetry[]; readonly isOpen: boolean }) {
  return (
    <details open={isOpen} className="mt-1 text-small text-muted">
      <summary className="min-h-6 cursor-pointer leading-6">
        Failed before: {countOf(retries.length, 'attempt')}
      </summary>
      <ol className="border-l-2 border-line pl-2">
        {retries.map(({ seq, failure }) => (
          <li key={seq}>
            <UntrustedText text={`${failure.message} ${failure.advice}`} limit={500} />
          </li>
        ))}
      </ol>
    </details>
  );
}

/** Counts down to the next attempt. */
function Retrying({ retry }: { readonly retry: ChatRetry }) {
  const [left, setLeft] = useState(Math.ceil(retry.waitMs / 1000));
  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div role="status" className="mt-1 border-l-2 border-warn px-3 py-1">
      <p className="text-warn">
        ! <UntrustedText text={retry.failure.message} limit={500} />
      </p>
      <p className="tabular text-muted">
        {left > 0 ? `Trying again in ${left} s` : 'Trying again'}, attempt {retry.attempt}
      </p>
    </div>
  );
}
