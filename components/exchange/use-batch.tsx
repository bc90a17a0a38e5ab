import { type ReactNode, useState } from 'react';
import { usePaletteCommands } from '@/components/ui/shortcuts';
import { useClient } from '@/lib/hooks/client';
import { sharedByLog } from '@/lib/hooks/log';
import { BatchDialog } from './batch-dialog';
import { type BatchPlan, CallBatch } from './call-batch';
import type { Request } from './use-request';

/** The newest batch of each tool, by name. It goes on while another panel is shown. */
const BATCHES = sharedByLog<ReadonlyMap<string, CallBatch>>(new Map());

/** Calls the same tool several times. */
export interface Batching {
  /** The newest batch of this tool, until it is closed. */
  readonly batch: CallBatch | undefined;
  readonly close: () => void;
  /** Opens the dialog that starts a batch. undefined if nothing can be sent. */
  readonly ask: (() => void) | undefined;
  /** The open dialog. */
  readonly dialog: ReactNode;
}

interface BatchingOptions {
  readonly request: Request;
  readonly name: string;
  /** Why nothing can be sent. */
  readonly blocked: string | undefined;
  /** The params of each call, as JSON text. */
  readonly params: () => string;
  /** Runs the calls once the user has agreed, if that is needed. */
  readonly consented: (start: () => void) => void;
}

/** Returns the batch of a tool, and how to start one. */
export function useBatching({ request, name, blocked, params, consented }: BatchingOptions): Batching {
  const { log, method, timeoutMs, closed, readOnly } = request;
  const client = useClient();
  const [asking, setAsking] = useState(false);
  const batches = BATCHES.use(log);
  const put = (batch: CallBatch | undefined) => {
    const next = new Map(BATCHES.get(log));
    if (batch) next.set(name, batch);
    else next.delete(name);
    BATCHES.set(log, next);
  };
  const start = (plan: BatchPlan) =>
    consented(() => {
      const { connection } = log;
      const body = { type: 'request', connection, method, params: params(), timeoutMs } as const;
      batches.get(name)?.stop();
      put(
        new CallBatch(log, plan, {
          send: async () => (await client.send(body)).seq,
          // A call that was answered meanwhile can't be cancelled.
          cancel: (id) => void client.send({ type: 'cancel', connection, id }).catch(() => undefined),
        }),
      );
    });
  const canStart = closed === undefined && blocked === undefined && !readOnly;
  const ask = canStart ? () => setAsking(true) : undefined;
  usePaletteCommands(() => (ask ? [{ title: 'Call the tool several times…', run: ask }] : []));
  return {
    batch: readOnly ? undefined : batches.get(name),
    close: () => put(undefined),
    ask,
    dialog: asking && <BatchDialog onStart={start} onClose={() => setAsking(false)} />,
  };
}
