import { Button } from '@/components/ui/button';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/row';
import { useResend } from './use-resend';

/** Sends a request again, and says why where that fails. */
export function ResendButton({ log, row }: { readonly log: Log; readonly row: Row }) {
  const { closed, failure, resend } = useResend(log, row);
  return (
    <>
      {failure && (
        <span role="alert" className="min-w-0 truncate text-error" title={failure}>
          {failure}
        </span>
      )}
      <Button
        variant="ghost"
        size="small"
        disabled={closed !== undefined}
        title={closed ?? 'Send it again with a new id'}
        onClick={resend}
      >
        Resend
      </Button>
    </>
  );
}
