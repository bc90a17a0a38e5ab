import { useMemo } from 'react';
import { SamplingRequest } from '@/components/answers/sampling-request';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { PreformattedText, UntrustedText } from '@/components/untrusted/untrusted-text';
import type { AnswerTurn } from '@/features/chat/lib/chat-state';
import { JsonSource } from '@/lib/json/source';
import { FrameOfServer } from './frame-of-server';

interface SamplingTurnViewProps {
  readonly from: NonNullable<AnswerTurn['from']>;
  /** The chat is not a recording. */
  readonly isLive: boolean;
}

/** The request of a server for a completion, as the model got it. */
export function SamplingTurnView({ from, isLive }: SamplingTurnViewProps) {
  const { server, connection, seq, recording, params } = from;
  const json = useMemo(() => JsonSource.parse(params), [params]);
  return (
    <article aria-label="Request of a server" className="min-w-0 py-2">
      <header className="flex min-h-6 items-center gap-x-2 text-small text-muted">
        <UntrustedText text={server} limit={80} className="font-medium text-text" />
        <span className="font-mono text-wire">sampling/createMessage</span>
        {seq !== undefined && (
          <FrameOfServer frame={{ connection, seq, ...(recording && { recording }) }} isLive={isLive} />
        )}
      </header>
      <div className="min-w-0 border-l-2 border-to-client pl-3">
        <RenderGuard fallback={<p className="text-warn">! This request can’t be drawn. See its frame in the log</p>}>
          {json ? <SamplingRequest params={json} onUseTool={undefined} /> : <PreformattedText text={params} />}
        </RenderGuard>
      </div>
    </article>
  );
}
