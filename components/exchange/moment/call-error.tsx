import { useMemo } from 'react';
import { codeWhenIdle } from '@/components/ui/lazy-when-idle';
import { visibleText } from '@/components/ui/visible-text';
import { useFrameBytes, useLogState } from '@/lib/hooks/log';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import type { Log } from '@/lib/store/log';
import type { LoggedCallError } from '@/lib/store/reason/call-error';
import { FrameLink } from '../frame-link';
import type { CallOutput } from './output';

const useReasons = codeWhenIdle(() => import('@/lib/store/reason/call-error'));

/** Newest lines on stderr that are searched. */
const SEARCHED = 400;
const NONE: readonly number[] = [];

/** Returns the error on stderr that explains why a call failed. `texts`: those of the error in the response. */
export function useCallError(
  log: Log,
  exchange: Exchange | undefined,
  { stderr }: CallOutput,
  failed: boolean,
  texts: readonly string[],
): LoggedCallError | undefined {
  const exit = useLogState(log, ({ connection }) => connection.exit);
  const reasons = useReasons();
  const searched = failed ? stderr.slice(-SEARCHED) : NONE;
  const bytes = useFrameBytes(log, searched);
  const isCrash = exchange?.status === 'lost' && exit !== undefined && !exit.byUs;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same lines and texts are other arrays each time
  return useMemo(() => {
    if (!failed || !reasons) return undefined;
    return isCrash ? reasons.crashInLog(log, searched) : reasons.callErrorInLog(log, searched, texts);
  }, [reasons, log, exchange?.requestSeq, searched.length, searched.at(-1), bytes, failed, isCrash, texts.join()]);
}

/** The exception that made a call fail: what, where, and its frame. */
export function CallErrorView({ error, isAlone }: { readonly error: LoggedCallError; readonly isAlone: boolean }) {
  const { text, place, isSame, stream, seq } = error;
  return (
    <p className="min-w-0 border-l-2 border-error bg-error/6 px-3 py-1 break-words">
      {!isSame && `On ${stream} during this call: `}
      <bdi className="font-mono text-wire font-medium text-error">{visibleText(text)}</bdi>
      {place !== undefined && (
        <bdi className="ml-2 font-mono text-wire" title={visibleText(place)}>
          {visibleText(place.replace(/^.*[/\\]/, ''))}
        </bdi>
      )}
      <span className="ml-2 whitespace-nowrap">
        <FrameLink seq={seq} label={stream} />
      </span>
      {!isSame && !isAlone && (
        <span className="text-muted"> Other requests were in flight, so it may be about one of them.</span>
      )}
    </p>
  );
}
