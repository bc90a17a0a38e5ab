import { useCallback, useState } from 'react';
import { type ClientStatus, type CommandBody, type FileToOpen, useClient } from '@/lib/hooks/client';
import { useLocation } from '@/lib/hooks/location';
import { watchOf } from '@/lib/hooks/watch';
import { OPENING_CANCELLED } from '@/lib/recording/opening-cancelled';
import type { ConnectionSummary } from '@/lib/wire/command';
import { MASK } from '@/lib/wire/http-frame';
import type { Failure } from '@/lib/wire/lifecycle';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import type { ServerDraft } from './connect/server-draft';

/** A file that is being opened. */
export interface OpeningFile {
  readonly file: string;
  /** Absent at first. */
  readonly progress?: ReadingProgress;
  readonly cancel: () => void;
}

/** Sends commands, and keeps the failure of the last command until the next command. */
export function useCommand(): {
  /** Resolves to the connection that the command created or changed; undefined if it failed. */
  readonly run: (command: CommandBody) => Promise<string | undefined>;
  /** Opens a file, or the file a function returns, as a recording. Resolves to its connection. */
  readonly open: (file: FileToOpen | (() => Promise<File>)) => Promise<string | undefined>;
  /** The file that is being opened. */
  readonly opening: OpeningFile | undefined;
  /** Runs `work`, whose failure is shown. Resolves to undefined if it failed. */
  readonly attempt: <T>(work: () => Promise<T>) => Promise<T | undefined>;
  readonly pending: boolean;
  readonly failure: Failure | undefined;
  readonly dismiss: () => void;
} {
  const client = useClient();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [opening, setOpening] = useState<OpeningFile>();
  const attempt = useCallback(async <T>(work: () => Promise<T>) => {
    setPending(true);
    setFailure(undefined);
    try {
      return await work();
    } catch (error) {
      if ((error as Failure).code !== OPENING_CANCELLED.code) setFailure(error as Failure);
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
    (source: FileToOpen | (() => Promise<File>)) =>
      attempt(async () => {
        const file = typeof source === 'function' ? await source() : source;
        const stop = new AbortController();
        const shown = { file: file.name, cancel: () => stop.abort() };
        setOpening(shown);
        const onOpening = (progress: ReadingProgress) => setOpening({ ...shown, progress });
        return client.openRecording(file, { signal: stop.signal, onOpening }).finally(() => setOpening(undefined));
      }),
    [client, attempt],
  );
  return { run, open, attempt, opening, pending, failure, dismiss: useCallback(() => setFailure(undefined), []) };
}

interface ConnectionActionOptions {
  readonly connections: readonly ConnectionSummary[];
  readonly selected: ConnectionSummary | undefined;
  readonly run: ReturnType<typeof useCommand>['run'];
  /** Shows the connect form with this draft. Without a draft, the form is as the user left it. */
  readonly onEdit: (draft: ServerDraft | undefined) => void;
  /** Called with the connection that replaces the selected one. */
  readonly onMade: (connection: string) => void;
}

/** Reason for a disabled Restart. */
export const STRANDED = 'mcp-inspect does not respond. Start it again in the terminal';

/** Returns true for a connection that lives in mcp-inspect, which does not respond. */
export function isStranded({ via }: Pick<ConnectionSummary, 'via'>, status: ClientStatus): boolean {
  return via !== 'direct' && (status === 'lost' || status === 'refused');
}

/** Actions on the selected connection. */
export type ConnectionActions = ReturnType<typeof useConnectionActions>;

/** Restart, disconnect, remove, edit and retry. `run` shows their failures. */
export function useConnectionActions({ connections, selected, run, onEdit, onMade }: ConnectionActionOptions) {
  const client = useClient();
  const { filter, navigate } = useLocation();
  const [restarting, setRestarting] = useState<string>();

  const restart = async () => {
    if (!selected || restarting === selected.id) return;
    setRestarting(selected.id);
    const made = await run({ type: 'restart', connection: selected.id });
    setRestarting(undefined);
    // The server is the same, so the panel and the filter still apply.
    if (made !== undefined) navigate({ connection: made, frame: undefined, filter });
  };
  const watching = selected !== undefined && watchOf(connections, selected.id) !== undefined;
  const disconnect = () => selected && void run({ type: 'close', connection: selected.id });
  const retry = () => selected && void run({ type: 'retry', connection: selected.id });
  const remove = async (ended: readonly string[]) => {
    for (const connection of ended) await run({ type: 'forget', connection });
  };
  const edit = async (changes: Partial<ServerDraft> = {}) => {
    const { start, profile } = selected ? client.log(selected.id).state.connection : {};
    if (!selected || !start) return onEdit(undefined);
    // Imported here, so that it is not part of the first load.
    const { draftOfStart, withoutBase } = await import('./connect/server-draft');
    const again = draftOfStart(selected.id, start, profile);
    // Header and variable values are gone for a recording, and after a reload for a direct connection.
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
    /** True while the selected connection restarts, or can't because mcp-inspect does not respond. */
    restarting: selected !== undefined && (restarting === selected.id || isStranded(selected, client.status)),
    restart: () => void restart(),
    disconnect,
    watching,
    /** Turns re-run on save on or off. Absent for what has no files: a recording or a direct connection. */
    watch:
      selected && !selected.recording && selected.via !== 'direct'
        ? () => void run({ type: 'watch', connection: selected.id, on: !watching })
        : undefined,
    /** Tries to reach the selected server now. */
    retry: () => void retry(),
    /** Removes ended connections and their logs. Closes recordings. */
    remove: (ended: readonly string[]) => void remove(ended),
    edit: () => edit(),
    /** Connects to the selected server through the proxy. Absent unless it is direct, and there is one. */
    viaProxy: selected?.via === 'direct' && client.status !== 'none' ? () => void viaProxy() : undefined,
  };
}
