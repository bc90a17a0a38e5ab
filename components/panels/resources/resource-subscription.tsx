import { useState } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/notices';
import { type CommandBody, useClient } from '@/lib/hooks/client';
import { useClosedReason, useReadOnly } from '@/lib/hooks/connections';
import { useLogState } from '@/lib/hooks/log';
import { useResourceHistories } from '@/lib/hooks/resource-history';
import { isObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import type { ResourceSubscription } from '@/lib/store/resource-history';
import type { Failure } from '@/lib/wire/lifecycle';
import { METHOD } from '@/lib/wire/protocol-names';
import { subscribingRequest } from '@/lib/wire/resource-subscriptions';

/** Subscribes to a resource and ends the subscription. Empty if the server declares no subscriptions. */
export function SubscribeButton({ log, uri }: { readonly log: Log; readonly uri: string }) {
  const client = useClient();
  const declared = useLogState(log, ({ server }) => {
    const resources = server.capabilities && own(server.capabilities, 'resources');
    return isObject(resources) && own(resources, 'subscribe') === true;
  });
  const modern = useLogState(log, ({ connection }) => connection.era === 'modern');
  const subscription = useResourceHistories(log).subscriptionOf(uri);
  const closed = useClosedReason(log);
  const readOnly = useReadOnly(log);
  const [failure, setFailure] = useState<Failure>();
  if (!declared || readOnly) return null;
  const subscribed = isSubscribed(subscription);
  const toggle = async () => {
    setFailure(undefined);
    try {
      const commands = subscribed ? endCommands(log, modern, uri, subscription) : [startCommand(log, modern, uri)];
      for (const command of commands) await client.send(command);
    } catch (failure) {
      setFailure(failure as Failure);
    }
  };
  return (
    <>
      <Button
        aria-pressed={subscribed}
        disabled={closed !== undefined}
        title={closed ?? 'The server reports each change of this resource while subscribed'}
        onClick={() => void toggle()}
        className="aria-pressed:border-accent aria-pressed:text-accent"
      >
        {subscribed ? '✓ Subscribed' : 'Subscribe'}
      </Button>
      {failure && <ErrorNote failure={failure} />}
    </>
  );
}

/** True from the request to subscribe until it fails or the subscription ends. */
export function isSubscribed({ state }: ResourceSubscription): boolean {
  return state === 'asking' || state === 'active';
}

function request(log: Log, method: string, params: object): CommandBody {
  return { type: 'request', connection: log.connection, method, params: JSON.stringify(params) };
}

function startCommand(log: Log, modern: boolean, uri: string): CommandBody {
  return request(log, ...subscribingRequest(modern, uri));
}

/** Ends a subscription. A stream that carries more than this resource is replaced by one with the rest. */
function endCommands(log: Log, modern: boolean, uri: string, { listen }: ResourceSubscription): readonly CommandBody[] {
  if (!modern) return [request(log, 'resources/unsubscribe', { uri })];
  if (!listen) return [];
  const rest = remainingFilter(listen.filter ?? {}, uri);
  return [
    ...(rest ? [request(log, METHOD.listen, { notifications: rest })] : []),
    { type: 'cancel', connection: log.connection, id: listen.id },
  ];
}

/** Returns a filter without this resource; undefined if it asks for nothing else. */
export function remainingFilter(filter: object, uri: string): object | undefined {
  const { resourceSubscriptions: uris, ...others } = filter as { resourceSubscriptions?: unknown };
  const rest = Array.isArray(uris) ? uris.filter((each) => each !== uri) : [];
  const left = { ...others, ...(rest.length > 0 && { resourceSubscriptions: rest }) };
  return Object.keys(left).length > 0 ? left : undefined;
}

interface Note {
  readonly tone: string;
  readonly text: string;
  /** Label of the link to the frame. */
  readonly link: string;
}

/** Subscriptions that bring no updates, in words. */
const NOTES: Partial<Record<ResourceSubscription['state'], Note>> = {
  refused: { tone: 'text-error', text: '× The server did not grant the subscription.', link: 'its response' },
  lost: { tone: 'text-error', text: '× The subscription was lost. Subscribe again to get updates.', link: 'frame' },
  ended: { tone: 'text-warn', text: '! The server ended the subscription.', link: 'frame' },
};

/** Says that a subscription failed, was lost or was ended by the server. Empty for any other. */
export function SubscriptionNote({ subscription: { state, seq } }: { readonly subscription: ResourceSubscription }) {
  const note = NOTES[state];
  if (!note) return null;
  return (
    <p role="status" className={note.tone}>
      {note.text} {seq !== undefined && <FrameLink seq={seq} label={note.link} />}
    </p>
  );
}
