import { useState } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/notices';
import { useClient } from '@/lib/hooks/client';
import { useClosedReason, useReadOnly } from '@/lib/hooks/connections';
import { useLogState } from '@/lib/hooks/log';
import { isObject, own } from '@/lib/json/value';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import { type Log, lastExchange } from '@/lib/store/log';
import type { Failure } from '@/lib/wire/lifecycle';
import { METHOD } from '@/lib/wire/protocol-names';

const SUBSCRIBE = 'resources/subscribe';
const UNSUBSCRIBE = 'resources/unsubscribe';

/** Subscribes to a resource and ends the subscription. Empty if the server declares no subscriptions. */
export function SubscribeButton({ log, uri }: { readonly log: Log; readonly uri: string }) {
  const client = useClient();
  const declared = useLogState(log, ({ server }) => {
    const resources = server.capabilities && own(server.capabilities, 'resources');
    return isObject(resources) && own(resources, 'subscribe') === true;
  });
  const modern = useLogState(log, ({ connection }) => connection.era === 'modern');
  const started = useLogState(log, () => lastExchange(log, modern ? METHOD.listen : SUBSCRIBE, uri));
  const ended = useLogState(log, () => lastExchange(log, UNSUBSCRIBE, uri));
  const closed = useClosedReason(log);
  const readOnly = useReadOnly(log);
  const [failure, setFailure] = useState<Failure>();
  if (!declared || readOnly) return null;
  const subscribed = isSubscribed(modern, started, ended) && closed === undefined;
  const toggle = () => {
    setFailure(undefined);
    const { connection } = log;
    const request = (method: string, params: object) =>
      ({ type: 'request', connection, method, params: JSON.stringify(params) }) as const;
    const change = !modern
      ? request(subscribed ? UNSUBSCRIBE : SUBSCRIBE, { uri })
      : subscribed
        ? ({ type: 'cancel', connection, id: started!.id! } as const)
        : request(METHOD.listen, { notifications: { resourceSubscriptions: [uri] } });
    client.send(change).catch(setFailure);
  };
  return (
    <>
      <Button
        aria-pressed={subscribed}
        disabled={closed !== undefined}
        title={closed ?? 'The server reports each change of this resource while subscribed'}
        onClick={toggle}
        className="aria-pressed:border-accent aria-pressed:text-accent"
      >
        {subscribed ? '✓ Subscribed' : 'Subscribe'}
      </Button>
      {started?.status === 'error' && <FrameLink seq={started.responseSeq!} label="Subscribing failed" />}
      {failure && <ErrorNote failure={failure} />}
    </>
  );
}

/** Returns true from the request to subscribe until it fails or the subscription ends. */
export function isSubscribed(modern: boolean, started: Exchange | undefined, ended: Exchange | undefined): boolean {
  if (started === undefined) return false;
  // A modern subscription is a request that stays open.
  if (modern) return started.status === 'pending';
  if (ended !== undefined && ended.requestSeq > started.requestSeq) return false;
  return started.status === 'pending' || started.status === 'ok';
}
