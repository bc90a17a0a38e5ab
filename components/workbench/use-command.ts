import { useCallback, useState } from 'react';
import { type CommandBody, useClient } from '@/lib/hooks/use-client';
import type { Failure } from '@/lib/wire/lifecycle';

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
