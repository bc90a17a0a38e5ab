import { useState } from 'react';
import { useConsentedCalls } from '@/components/exchange/destructive-call';
import type { PinChange, PinEntry, PinsRequest } from '@/features/check/lib/pins/pins-api';
import { useClient } from '@/lib/hooks/client';
import { useClosedReason, useConnections, useReadOnly } from '@/lib/hooks/connections';
import type { JsonObject } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import type { Failure } from '@/lib/wire/lifecycle';
import { useChangePins } from './use-pins';

/** The actions on pinned calls. */
export interface PinActions {
  /** Why calls can't be played now. */
  readonly closed: string | undefined;
  /** False for a recording or a past state, whose answers the proxy does not have. */
  readonly accepts: boolean;
  /** Why the last action failed. */
  readonly failure: Failure | undefined;
  /** Plays these calls, which are all in the file, or all of it. */
  readonly play: (calls?: readonly PinEntry[]) => void;
  readonly stop: () => void;
  readonly accept: (keys: readonly string[]) => void;
  readonly change: (change: PinChange) => void;
}

/** Returns the actions on a connection. `pins`: all calls of the file, in their order. */
export function usePinActions(log: Log, pins: readonly PinEntry[], onAccepted: () => void): PinActions {
  const client = useClient();
  const changePins = useChangePins();
  const consented = useConsentedCalls(log);
  const [failure, setFailure] = useState<Failure>();
  const closedReason = useClosedReason(log);
  const past = useReadOnly(log);
  const { connections } = useConnections();
  const direct = connections.find(({ id }) => id === log.connection)?.via === 'direct';
  const attempt = (work: () => Promise<unknown>): void => {
    setFailure(undefined);
    work().catch((error) => setFailure(error as Failure));
  };
  const { connection } = log;
  const ask = (request: PinsRequest) => client.api!.ask('pins', { ...request });
  return {
    closed: direct ? DIRECT : (closedReason ?? (past ? PAST : undefined)),
    accepts: !past && !direct,
    failure,
    play: (calls) => {
      const { listed, unlisted } = calledTools(calls ? withEarlier(pins, calls) : pins, log.state.tools.items);
      const keys = calls?.map(({ key }) => key);
      consented(listed, () => attempt(() => ask({ kind: 'play', connection, ...(keys && { keys }) })), unlisted);
    },
    stop: () => attempt(() => ask({ kind: 'stop', connection })),
    accept: (keys) => attempt(() => ask({ kind: 'accept', connection, keys }).then(onAccepted)),
    change: (change) => attempt(() => changePins(change)),
  };
}

const DIRECT = 'Pinned calls need the proxy: this page talks to the server itself.';
const PAST = 'This is a past state. Go to the end to run calls.';

/** Adds the earlier calls whose values they may use, which the proxy plays too. */
function withEarlier(pins: readonly PinEntry[], calls: readonly PinEntry[]): readonly PinEntry[] {
  const last = Math.max(...calls.map((call) => pins.indexOf(call)));
  return pins.filter((pin, index) => calls.includes(pin) || (index < last && pin.saves.length > 0));
}

/** Tools that pinned calls call. */
interface CalledTools {
  /** Tools as listed. */
  readonly listed: readonly JsonObject[];
  /** Names that are not in the list, so that nobody knows what they do. */
  readonly unlisted: readonly string[];
}

/** Looks up the tools that pinned calls call. A name with `${…}` is known only when it is sent. */
export function calledTools(
  pins: readonly Pick<PinEntry, 'method' | 'target'>[],
  items: readonly { readonly name: string; readonly raw: JsonObject }[],
): CalledTools {
  const called = pins.filter(({ method }) => method === 'tools/call');
  const names = new Set(called.map(({ target = '' }) => target));
  const isKnown = (name: string) => !name.includes('${') && items.some((item) => item.name === name);
  return {
    listed: items.filter(({ name }) => names.has(name)).map(({ raw }) => raw),
    unlisted: [...names].filter((name) => !isKnown(name)),
  };
}
