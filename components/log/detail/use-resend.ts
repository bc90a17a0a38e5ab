import { sharedByLog } from '@/lib/hooks/shared-by-log';
import { useClient } from '@/lib/hooks/use-client';
import { useClosedReason } from '@/lib/hooks/use-closed-reason';
import { navigate } from '@/lib/hooks/use-location';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/row';
import type { Failure } from '@/lib/wire/lifecycle';
import { resendParams } from './resend-params';

const FAILED = sharedByLog<{ readonly seq: number; readonly message: string } | undefined>(undefined);

interface Resend {
  /** Why it can't be done now. */
  readonly closed: string | undefined;
  /** Why it was not done, the last time. */
  readonly failure: string | undefined;
  readonly resend: () => void;
}

/** Sends a request's method and params again, under a new id, and shows the new frame. Its bytes have to be here. */
export function useResend(log: Log, row: Row): Resend {
  const client = useClient();
  const closed = useClosedReason(log);
  const failed = FAILED.use(log);
  const resend = async () => {
    FAILED.set(log, undefined);
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
      FAILED.set(log, { seq: row.seq, message: (error as Failure).message });
    }
  };
  return { closed, failure: failed?.seq === row.seq ? failed.message : undefined, resend: () => void resend() };
}
