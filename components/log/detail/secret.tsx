import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useClient } from '@/lib/hooks/use-client';
import { useLog, useLogState } from '@/lib/hooks/use-log';
import { MASK } from '@/lib/wire/http-frame';
import type { Failure } from '@/lib/wire/lifecycle';

/**
 * A masked value that can be asked for while the connection lives. It is in this component alone: gone when another frame
 * is looked at, and when the connection ends.
 */
export function Secret({
  connection,
  seq,
  field,
  what,
}: {
  readonly connection: string;
  readonly seq: number;
  readonly field: number | 'url';
  /** Of which header: names the buttons. */
  readonly what: string;
}) {
  const client = useClient();
  const live = useLogState(useLog(connection), ({ connection: { state } }) => state === 'open' || state === 'starting');
  const [shown, setShown] = useState<{ readonly secret?: string; readonly failure?: string }>({});
  const reveal = async () => {
    try {
      const { secret } = await client.send({ type: 'reveal', connection, seq, field });
      setShown({ secret });
    } catch (error) {
      setShown({ failure: (error as Failure).message });
    }
  };
  const secret = live ? shown.secret : undefined;
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-x-1">
      {secret === undefined ? <span>{MASK}</span> : <UntrustedText text={secret} className="break-all" />}
      {live && secret === undefined && (
        <Button variant="ghost" size="small" aria-label={`Reveal ${what}`} onClick={() => void reveal()}>
          Reveal
        </Button>
      )}
      {secret !== undefined && (
        <>
          <CopyButton text={() => secret} label="Copy" />
          <Button variant="ghost" size="small" aria-label={`Hide ${what}`} onClick={() => setShown({})}>
            Hide
          </Button>
        </>
      )}
      {live && shown.failure !== undefined && (
        <span role="alert" className="text-warn">
          {shown.failure}
        </span>
      )}
    </span>
  );
}
