import { useServers } from '@/lib/hooks/servers';
import type { Target } from '@/lib/wire/command';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import { useCommand } from '../connection-commands';
import { typedServer } from './server-draft';

/** Connects to servers, and keeps the failure of the last attempt. */
export function useConnect() {
  const { run, pending, failure, dismiss } = useCommand();
  const { change, refresh } = useServers();
  /** Resolves to the connection; undefined if it failed. `replaces`: id of the kept server that was edited. */
  const connect = async (target: Target, protocol: ProtocolChoice, replaces?: string): Promise<string | undefined> => {
    const connection = await run({ type: 'connect', target, protocol, ...(replaces !== undefined && { replaces }) });
    if (connection !== undefined) refresh();
    // The proxy does not see a direct connection.
    if (connection !== undefined && target.transport !== 'stdio' && target.via === 'direct') {
      const server = typedServer(target, protocol, Object.keys(target.headers ?? {}));
      change(replaces === undefined ? { kind: 'add', server } : { kind: 'edit', id: replaces, server }).catch(() => {
        // The connection works; the list says what is wrong when it is shown.
      });
    }
    return connection;
  };
  return { connect, pending, failure, dismiss };
}
