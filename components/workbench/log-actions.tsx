import { Button } from '@/components/ui/button';
import { LOG_ACTIONS } from '@/features/log-actions';
import { useReadOnly } from '@/lib/hooks/connections';
import { navigate } from '@/lib/hooks/location';
import type { Log } from '@/lib/store/log';

/** The buttons above the log: one that sends a message, and those of features. */
export function LogActions({ log }: { readonly log: Log }) {
  const isReadOnly = useReadOnly(log);
  return (
    <>
      {!isReadOnly && (
        <Button
          size="small"
          variant="ghost"
          title="Write any message and send it as it is"
          onClick={() => navigate({ panel: 'raw', item: undefined })}
          className="narrow:hidden"
        >
          New message…
        </Button>
      )}
      {LOG_ACTIONS.map((Action, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <Action key={at} log={log} />
      ))}
    </>
  );
}
