import { useMemo, useState } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { Button } from '@/components/ui/button';
import { ErrorNote, Spinner } from '@/components/ui/notices';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { type CardClaim, compareCard } from '@/features/server-card/lib/compare-card';
import { type CardAnswer, cardIn, findCard } from '@/features/server-card/lib/find-card';
import { lintAnswer } from '@/features/server-card/lib/lint-card';
import { useClient } from '@/lib/hooks/client';
import { useReadOnly } from '@/lib/hooks/connections';
import { useLogSize, useLogState } from '@/lib/hooks/log';
import { isObject } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import type { Failure } from '@/lib/wire/lifecycle';

/** The Server Card of a URL: requested on demand, checked, and compared with the live server. */
export function ServerCard({ log }: { readonly log: Log }) {
  const client = useClient();
  const start = useLogState(log, ({ connection }) => connection.start);
  const cardSeq = useLogState(log, ({ http }) => http.cardSeq);
  const readOnly = useReadOnly(log);
  const size = useLogSize(log);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer log may have the answer
  const answer = useMemo(() => findCard(log), [log, size, cardSeq]);
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  if (!start || start.transport === 'stdio') return null;
  const request = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      await client.send({ type: 'look-further', connection: log.connection, where: 'server-card' });
    } catch (error) {
      setFailure(error as Failure);
    } finally {
      setBusy(false);
    }
  };
  if (!answer && (readOnly || start.via === 'direct')) return null;
  return (
    <section aria-label="Server Card" className="flex min-w-0 flex-col gap-1">
      <div className="flex items-center gap-2">
        <h2 className="font-medium">Server Card</h2>
        {!readOnly && start.via !== 'direct' && (
          <Button size="small" disabled={isBusy} onClick={() => void request()}>
            {answer ? 'Get again' : 'Get card'}
          </Button>
        )}
        {isBusy && <Spinner label="Getting the card" />}
      </div>
      {failure && <ErrorNote failure={failure} />}
      {answer ? (
        <Answer log={log} answer={answer} />
      ) : (
        <p className="text-muted">Requests the server’s URL with /server-card at its end.</p>
      )}
    </section>
  );
}

function Answer({ log, answer }: { readonly log: Log; readonly answer: CardAnswer }) {
  const { seqs, status, failure, isOver } = answer;
  const link = <FrameLink seq={seqs[1]} label="answer" />;
  if (status === undefined || status < 200 || status > 299) {
    return (
      <p className="text-muted">
        {isOver || status !== undefined ? 'No card' : 'No answer yet'}
        {status !== undefined && `: status ${status}`}
        {status === undefined && failure !== undefined && (
          <>
            : <UntrustedText text={failure} limit={300} />
          </>
        )}
        , see its {link}
      </p>
    );
  }
  return isOver ? <CheckedCard log={log} answer={answer} /> : <p className="text-muted">The card is on its way</p>;
}

/** Most rows of findings. */
const MOST_FINDINGS = 50;

function CheckedCard({ log, answer }: { readonly log: Log; readonly answer: CardAnswer }) {
  const findings = useMemo(() => lintAnswer(answer), [answer]);
  const card = useMemo(() => cardIn(answer), [answer]);
  const claims = isObject(card) ? compareCard(card, log) : [];
  return (
    <>
      <p>
        {findings.some(({ severity }) => severity === 'error') ? (
          <span className="text-error">× Invalid</span>
        ) : (
          <span className="text-ok">✓ Valid</span>
        )}
        , see its <FrameLink seq={answer.seqs[1]} label="answer" />
      </p>
      <ul aria-label="Findings" className="min-w-0">
        {findings.slice(0, MOST_FINDINGS).map(({ severity, at, message }) => (
          <li key={`${at} ${message}`} className={severity === 'error' ? 'text-error' : 'text-warn'}>
            {severity === 'error' ? '×' : '!'} <UntrustedText text={`${at} ${message}`} limit={300} />
          </li>
        ))}
      </ul>
      {claims.length > 0 && <Claims claims={claims} />}
    </>
  );
}

function Claims({ claims }: { readonly claims: readonly CardClaim[] }) {
  return (
    <table className="w-full table-fixed text-left">
      <thead className="text-muted">
        <tr>
          <th className="w-32 font-normal">Claim</th>
          <th className="font-normal">Card</th>
          <th className="font-normal">Live server</th>
        </tr>
      </thead>
      <tbody>
        {claims.map(({ what, card, live, isSame }) => (
          <tr key={what} className="border-t border-line align-top">
            <th scope="row" className={isSame ? 'font-normal text-muted' : 'font-normal text-error'}>
              {isSame ? '✓' : '×'} {what}
              <span className="sr-only">{isSame ? ' is the same' : ' differs'}</span>
            </th>
            <td className="pr-2 break-words">
              <UntrustedText text={card} limit={300} />
            </td>
            <td className="break-words">
              <UntrustedText text={live} limit={300} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
