import { visibleText } from '@/components/ui/visible-text';
import { type ClientStatus, useClient } from '@/lib/hooks/use-client';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import { isLive } from './state-words';

/**
 * Above a connection whose recording failed, a full disk say, or that lost the mcp-inspect which records it: it lives on, and what is
 * said from then on is kept nowhere.
 */
export function UnrecordedNote({ log }: { readonly log: Log }) {
  const { status, isRecorded } = useClient();
  const failed = useLogState(log, (state) => state.connection.recordingFailed);
  const outlives = useLogState(log, ({ connection: { start, state } }) => isDirect(start) && isLive(state));
  const sentence = failed ?? (outlives && isRecorded(log.connection) ? SENTENCES[status] : undefined);
  if (sentence === undefined) return null;
  return (
    <p role="status" className="shrink-0 border-b border-line bg-warn/10 px-3 py-1 break-words text-warn">
      <span aria-hidden="true">! </span>
      {visibleText(sentence)} The connection itself goes on; what the page shows can still be shared.
    </p>
  );
}

/** Who records is not there. */
const SENTENCES: { readonly [S in ClientStatus]?: string } = {
  lost: 'Nothing of this connection is recorded while mcp-inspect does not answer; if it does soon, what is said meanwhile is added.',
  refused: 'Nothing more of this connection is recorded, since mcp-inspect was started anew.',
};

function isDirect(start: object | undefined): boolean {
  return start !== undefined && 'via' in start && start.via === 'direct';
}
