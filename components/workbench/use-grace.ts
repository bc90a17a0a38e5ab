import { useEffect, useState } from 'react';
import { useClient } from '@/lib/hooks/use-client';

/** How long servers live on after the last tab closed, in ms, as the proxy said at its last welcome. */
export function useGrace(): number | undefined {
  const client = useClient();
  const [graceMs, setGraceMs] = useState<number>();
  useEffect(
    () =>
      client.onEvent((event) => {
        if (event.type === 'welcome') setGraceMs(event.graceMs);
      }),
    [client],
  );
  return graceMs;
}
