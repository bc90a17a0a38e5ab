import { useClient } from '@/lib/hooks/client';
import { useConnections } from '@/lib/hooks/connections';
import { askElsewhere } from '@/lib/hooks/elsewhere';
import { ownParams } from '@/lib/sharing/snippets/described-request';
import { requestOf } from '@/lib/store/exchanges/exchange-timeline';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import type { Row } from '@/lib/store/rows/row';

/** Something to do with a message of a recording outside of it. */
export interface RecordedCommand {
  readonly label: string;
  /** A hint of a few words. */
  readonly about: string;
  readonly run: () => void;
}

/**
 * Returns what can be done with a message of a recorded session, or of one that another client drives: `send` sends its
 * request on a connection of our own, `others` are about the whole session. Nothing for other logs.
 */
export function useRecordedCommands(
  log: Log,
  row: Row,
): { readonly send?: RecordedCommand; readonly others: readonly RecordedCommand[] } {
  const client = useClient();
  const { connections } = useConnections();
  const isRecorded = connections.some(({ id, recording }) => id === log.connection && recording !== undefined);
  // A shared file can’t connect, and is shared already.
  if (!isRecorded || client.status === 'file' || log.state.connection.start === undefined) return { others: [] };
  const { connection } = log;
  const seq = requestOf(log, row);
  const exchange = seq === undefined ? undefined : log.exchange(seq);
  const canSend = exchange?.direction === 'to-server' && seq !== undefined && log.hasBytes(seq);
  const send = () => {
    if (seq === undefined || !exchange) return;
    const { method, name, id } = exchange;
    const params = ownParams(messageSource(log, seq, id)?.member('params')?.text);
    const listed = method === 'tools/call' ? log.state.tools.items.find((tool) => tool.name === name) : undefined;
    askElsewhere({ do: 'send', connection, method, params, tool: listed?.raw });
  };
  return {
    ...(canSend && {
      send: { label: 'Send it again', about: 'On a connection of your own to this server', run: send },
    }),
    others: [
      {
        label: 'Replay or test…',
        about: 'Give the recorded answers to another client, or compare them with the server’s',
        run: () => askElsewhere({ do: 'replay', connection }),
      },
      {
        label: 'Share…',
        about: 'Choose what to share of this session',
        run: () => askElsewhere({ do: 'share', connection }),
      },
    ],
  };
}
