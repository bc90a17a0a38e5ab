import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { useClient } from '@/lib/hooks/use-client';
import { useClosedReason } from '@/lib/hooks/use-closed-reason';
import { useLocation } from '@/lib/hooks/use-location';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/row';
import type { Failure } from '@/lib/wire/lifecycle';
import { resendParams } from './resend-params';

/** Sends a request's method and params again, under a new id, and shows the new frame. */
export function ResendButton({ log, row }: { readonly log: Log; readonly row: Row }) {
  const client = useClient();
  const { navigate } = useLocation();
  const closed = useClosedReason(log);
  const [failure, setFailure] = useState<string>();
  const resend = async () => {
    setFailure(undefined);
    try {
      const params = resendParams(log.text(row.seq - 1));
      const done = await client.send({
        type: 'request',
        connection: log.connection,
        method: row.method ?? '',
        ...(params !== undefined && { params }),
      });
      if (done.seq !== undefined) navigate({ frame: done.seq });
    } catch (error) {
      setFailure((error as Failure).message);
    }
  };
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
