import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { useClient } from '@/lib/hooks/use-client';
import { useLocation } from '@/lib/hooks/use-location';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/row';
import type { Failure } from '@/lib/wire/lifecycle';
import { resendParams } from './resend-params';

/** Sends a request's method and params again, under a new id, and shows the new frame. */
export function ResendButton({ log, row }: { readonly log: Log; readonly row: Row }) {
  const client = useClient();
  const { navigate } = useLocation();
  const open = useLogState(log, (state) => state.connection.state === 'open');
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
        disabled={!open}
        title={open ? 'Send it again with a new id' : 'The connection is not open'}
        onClick={resend}
      >
        Resend
      </Button>
    </>
  );
}
