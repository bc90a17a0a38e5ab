import { useCallback, useState } from 'react';
import { type CommandBody, useClient } from '@/lib/hooks/client';
import { useLocation } from '@/lib/hooks/location';
import type { ConnectionSummary } from '@/lib/wire/command';
import { MASK } from '@/lib/wire/http-frame';
import type { Failure } from '@/lib/wire/lifecycle';
import type { ServerDraft } from './connect/server-draft';
import { isLive } from './connection-state';

/** Sends commands one at a time; the last one's failure stays until the next. */
export function useCommand(): {
  /** Resolves to the connection that the command was about or made; undefined if it failed. */
  readonly run: (command: CommandBody) => Promise<string | undefined>;
  /** Opens a file, or what one is had by, as a recording; resolves to its connection. */
  readonly open: (file: File | (() => Promise<File>)) => Promise<string | undefined>;
  readonly pending: boolean;
  readonly failure: Failure | undefined;
  readonly dismiss: () => void;
} {
  const client = useClient();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const attempt = useCallback(async (send: () => Promise<string>) => {
    setPending(true);
    setFailure(undefined);
    try {
      return await send();
    } catch (error) {
      setFailure(error as Failure);
      return undefined;
    } finally {
      setPending(false);
    }
  }, []);
  const run = useCallback(
    (command: CommandBody) => attempt(async () => (await client.send(command)).connection),
    [client, attempt],
  );
  const open = useCallback(
    (file: File | (() => Promise<File>)) =>
      attempt(async () => client.openRecording(typeof file === 'function' ? await file() : file)),
    [client, attempt],
  );
  return { run, open, pending, failure, dismiss: useCallback(() => setFailure(undefined), []) };
}

interface Surroundings {
  readonly connections: readonly ConnectionSummary[];
  readonly selected: ConnectionSummary | undefined;
  readonly run: ReturnType<typeof useCommand>['run'];
  /** Shows the form for a server, with what a connection was made from; without that, as it was left. */
  readonly onEdit: (draft: ServerDraft | undefined) => void;
  /** A new connection is there in the place of the selected one. */
  readonly onMade: (connection: string) => void;
}

/** What a person does with the connections there are. Failures are `run`'s to show. */
export function useConnectionActions({ connections, selected, run, onEdit, onMade }: Surroundings) {
  const client = useClient();
  const { filter, navigate } = useLocation();
  const [restarting, setRestarting] = useState<string>();

  const restart = async () => {
    if (!selected || restarting === selected.id) return;
    setRestarting(selected.id);
    const made = await run({ type: 'restart', connection: selected.id });
    setRestarting(undefined);
    // The same server again: what was looked for is looked for in it too.
    if (made !== undefined) navigate({ connection: made, frame: undefined, filter });
  };
  const disconnect = () => selected && void run({ type: 'close', connection: selected.id });
  const retry = () => selected && void run({ type: 'retry', connection: selected.id });
  const forget = (connection: string) => run({ type: 'forget', connection });
  const forgetEnded = async () => {
    for (const { id, state } of connections) if (!isLive(state)) await forget(id);
  };
  const edit = async (changes: Partial<ServerDraft> = {}) => {
    const start = selected && client.log(selected.id).state.connection.start;
    if (!selected || !start) return onEdit(undefined);
    // What drafts are made by comes with their form.
    const { draftOfStart, withoutBase } = await import('./connect/server-draft');
    const again = draftOfStart(selected.id, start);
    // Nobody has the values of a recording's connection, or, after a reload, of a direct one.
    const known = !selected.recording && (selected.via !== 'direct' || client.directTarget(selected.id) !== undefined);
    onEdit({ ...(known ? again : withoutBase(again)), ...changes });
  };
  const viaProxy = async () => {
    const start = selected && client.log(selected.id).state.connection.start;
    if (!selected || start === undefined || start.transport === 'stdio') return;
    const { transport, url, headerNames, protocol } = start;
    const secrets = headerNames.length > 0 || url.includes(MASK);
    if (secrets && client.directTarget(selected.id) === undefined) {
      await edit({ via: 'proxy' });
      return;
    }
    const made = await run({ type: 'connect', target: { transport, url, base: selected.id }, protocol });
    if (made !== undefined) onMade(made);
  };
  return {
    /** The selected one is being restarted. */
    restarting: selected !== undefined && restarting === selected.id,
    restart: () => void restart(),
    disconnect,
    /** Tries at once to reach the selected one. */
    retry: () => void retry(),
    forget: (connection: string) => void forget(connection),
    forgetEnded: () => void forgetEnded(),
    edit: () => edit(),
    /** Connects to the same server through the proxy. */
    viaProxy: () => void viaProxy(),
  };
}
