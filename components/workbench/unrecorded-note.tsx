import { visibleText } from '@/components/ui/visible-text';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';

/** Above a connection whose recording failed, a full disk say: it lives on, and what is said from then on is kept nowhere. */
export function UnrecordedNote({ log }: { readonly log: Log }) {
  const sentence = useLogState(log, (state) => state.connection.recordingFailed);
  if (sentence === undefined) return null;
  return (
    <p role="status" className="shrink-0 border-b border-line bg-warn/10 px-3 py-1 break-words text-warn">
      <span aria-hidden="true">! </span>
      {visibleText(sentence)} The connection itself goes on; what the page shows can still be shared.
    </p>
  );
}
