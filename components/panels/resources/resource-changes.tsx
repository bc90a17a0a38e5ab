import { useEffect, useReducer, useRef } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import type { Request } from '@/components/exchange/use-request';
import { Checkbox } from '@/components/ui/inputs';
import { useClient } from '@/lib/hooks/client';
import { useClosedReason, useReadOnly } from '@/lib/hooks/connections';
import { storedChoice, useStoredSetting } from '@/lib/hooks/drafts';
import { useResourceHistories } from '@/lib/hooks/resource-history';
import { useSettings } from '@/lib/hooks/settings';
import { useLogTimes } from '@/lib/hooks/times';
import { type Log, lastExchange } from '@/lib/store/log';
import { countOf } from '@/lib/wire/format';
import { isSubscribed, SubscriptionNote } from './resource-subscription';

const READ = 'resources/read';

/** Whether a resource is read again by itself when the server says that it changed. */
const ON_CHANGE = storedChoice('mcp-inspect.resource-changes', ['wait', 'read']);

interface ResourceChangesProps {
  readonly request: Request;
  readonly uri: string;
}

/** The subscription to a resource, how often the server has reported a change, and a choice to read it at each. */
export function ResourceChanges({ request: { log, readOnly }, uri }: ResourceChangesProps) {
  const times = useLogTimes(log);
  const histories = useResourceHistories(log);
  const [onChange, setOnChange] = useStoredSetting(ON_CHANGE, 'wait');
  const subscription = histories.subscriptionOf(uri);
  const { count, seq } = histories.updatesOf(uri);
  const subscribed = isSubscribed(subscription);
  const stopped = subscription.state === 'stopped';
  if (count === 0 && (stopped || subscription.state === 'none')) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 text-muted">
      <SubscriptionNote subscription={subscription} />
      {count > 0 && (
        <p role="status">
          {histories.isStale(uri) && <span className="text-warn">! Changed since it was read. </span>}
          {stopped && 'Unsubscribed. '}
          {countOf(count, 'change')} reported, the newest at{' '}
          <span className="tabular">{times.shown(log.columns.time(seq - 1))}</span> (
          <FrameLink seq={seq} label="notification" short />)
        </p>
      )}
      {count === 0 && subscribed && <p role="status">{SUBSCRIBED[subscription.state]}</p>}
      {!readOnly && !stopped && (subscribed || count > 0) && (
        <Checkbox
          checked={onChange === 'read'}
          onChange={(checked) => setOnChange(checked ? 'read' : 'wait')}
          label="Read on each change"
          title="Applies to all resources while this panel is open"
        />
      )}
    </div>
  );
}

const SUBSCRIBED: Partial<Record<string, string>> = {
  asking: 'Subscribing…',
  active: 'Subscribed. No change reported yet',
};

/** Least time between two automatic reads of a resource, in ms, since a read may itself cause an update. */
const PAUSE_MS = 500;

/** Reads resources again when they change, if the person chose that. Draws nothing. */
export function AutomaticReads({ log }: { readonly log: Log }) {
  const client = useClient();
  const histories = useResourceHistories(log);
  const [onChange] = useStoredSetting(ON_CHANGE, 'wait');
  const closed = useClosedReason(log);
  const readOnly = useReadOnly(log);
  const { timeoutMs } = useSettings();
  /** The update after which each resource was read, and when, because the request takes a while to be in the log. */
  const read = useRef(new Map<string, { readonly seq: number; readonly at: number }>());
  const [round, nextRound] = useReducer((rounds: number) => rounds + 1, 0);
  const version = histories.catchUp();
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads once for each change
  useEffect(() => {
    if (onChange !== 'read' || closed !== undefined || readOnly) return;
    const now = performance.now();
    let wait = Number.POSITIVE_INFINITY;
    for (const uri of histories.uris) {
      const { seq } = histories.updatesOf(uri);
      const last = read.current.get(uri);
      if (seq <= (last?.seq ?? 0) || !histories.isStale(uri)) continue;
      if (lastExchange(log, READ, uri)?.status === 'pending') continue;
      const left = last === undefined ? 0 : last.at + PAUSE_MS - now;
      if (left > 0) {
        wait = Math.min(wait, left);
        continue;
      }
      read.current.set(uri, { seq, at: now });
      const params = JSON.stringify({ uri });
      // If it fails, the resource is still shown as changed, with its button.
      client.send({ type: 'request', connection: log.connection, method: READ, params, timeoutMs }).catch(() => {});
    }
    if (!Number.isFinite(wait)) return;
    const timer = setTimeout(nextRound, wait);
    return () => clearTimeout(timer);
  }, [version, round, onChange, closed, readOnly]);
  return null;
}
