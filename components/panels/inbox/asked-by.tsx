import { FrameLink } from '@/components/exchange/frame-link';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { navigate } from '@/lib/hooks/use-location';
import type { Log } from '@/lib/store/log';
import type { Question } from '@/lib/store/state';

/** Where each kind of call is made. */
const PANELS: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'tools'],
  ['prompts/get', 'prompts'],
  ['resources/read', 'resources'],
]);

interface AskedByProps {
  readonly log: Log;
  readonly question: Question;
  /** The name under which the person added it. */
  readonly server: string;
  /** What it calls itself, which may be anybody's name. */
  readonly claimed: string | undefined;
}

/** Which server asks, and for which call as far as that can be told. */
export function AskedBy({ log, question, server, claimed }: AskedByProps) {
  const { calls, input } = question;
  const carrier = log.row(question.seq - 1).exchange;
  const sameStream = carrier !== undefined && calls.every((call) => log.row(call - 1).exchange === carrier);
  const certain = calls.length === 1 && (input !== undefined || sameStream);
  return (
    <p className="mt-1 text-muted">
      <UntrustedText text={server} limit={100} className="font-medium text-text" />
      {claimed && claimed !== server && (
        <>
          {' (calls itself “'}
          <UntrustedText text={claimed} limit={100} />
          {'”)'}
        </>
      )}
      {calls.length === 0 && ' asks while no call of yours is under way.'}
      {calls.length > 0 && (certain ? ' asks this for ' : ' asks while these are under way: ')}
      {calls.map((call, index) => (
        <span key={call}>
          {index > 0 && ', '}
          <Call log={log} seq={call} />
        </span>
      ))}
    </p>
  );
}

function Call({ log, seq }: { readonly log: Log; readonly seq: number }) {
  const call = log.exchange(seq);
  const panel = PANELS.get(call?.method ?? '');
  return (
    <>
      {call?.name !== undefined && panel !== undefined ? (
        <button
          type="button"
          className="font-mono text-wire text-accent underline"
          onClick={() => navigate({ panel, item: call.name })}
        >
          <UntrustedText text={call.name} limit={100} />
        </button>
      ) : (
        <span className="font-mono text-wire">{call?.method}</span>
      )}{' '}
      <span className="text-small">
        <FrameLink seq={seq} label="request" />
      </span>
    </>
  );
}
