import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Frame } from '@/lib/wire/frame';
import { METHOD } from '@/lib/wire/protocol-names';
import { EXIT, type ExitCode, ExitError, usageError } from '@/proxy/cli/exit-code';
import type { CommandAction, ConnectedServer } from '../headless/on-server';
import { requireResult } from '../headless/results';
import { messagesIn } from '../headless/server-connection';

/** The lists whose changes a server reports, and their words in a listen filter (2026-07-28). */
const LISTS: ReadonlyMap<string, string> = new Map([
  ['tools', 'toolsListChanged'],
  ['prompts', 'promptsListChanged'],
  ['resources', 'resourcesListChanged'],
]);

/**
 * Prints each notification of the server as a line of JSON, until Ctrl-C or `--timeout`. A modern server is asked for a
 * stream; a legacy server sends them anyway. `list`: only the changes of this list.
 */
export function followNotifications(list: string | undefined): CommandAction {
  const lists = list === undefined ? [...LISTS.keys()] : [list];
  if (list !== undefined && !LISTS.has(list)) {
    throw usageError(`No server reports changes of its ${list}: follow ${[...LISTS.keys()].join(', ')}.`);
  }
  const stop = new AbortController();
  let print = (_line: string): void => {};
  const follow = async (server: ConnectedServer): Promise<ExitCode> => {
    const { connection, negotiated, out } = server;
    print = (line) => out.printExact(line);
    out.printNote('mcp-inspect', 'Listening. Ctrl-C ends it.');
    try {
      if (negotiated?.era !== 'modern') await connection.untilStopped(stop.signal);
      else {
        const notifications = Object.fromEntries(lists.map((one) => [LISTS.get(one)!, true]));
        const params = JSON.stringify({ notifications });
        requireResult(await connection.request(METHOD.listen, params, undefined, stop.signal));
        out.printNote('mcp-inspect', 'The server ended the stream.');
        return EXIT.fine;
      }
    } catch (error) {
      // The time to follow is over.
      if (error instanceof ExitError && error.exitCode === EXIT.timeout) return EXIT.fine;
      if (!stop.signal.aborted) throw error;
    }
    return EXIT.interrupted;
  };
  const isWanted = (message: unknown): boolean =>
    isNotification(message) && (list === undefined || own(message, 'method') === `notifications/${list}/list_changed`);
  return Object.assign(follow, {
    connect: {
      onFrame: ({ channel, direction, bytes }: Frame) => {
        if (channel !== 'protocol' || direction !== 'to-client') return;
        const line = Buffer.from(bytes)
          .toString()
          .replace(/[\r\n]+/g, ' ');
        if (messagesIn(line).some(isWanted)) print(line);
      },
      interrupt: () => {
        stop.abort();
        return true;
      },
    },
  });
}

function isNotification(message: unknown): message is JsonObject {
  return isObject(message) && typeof own(message, 'method') === 'string' && own(message, 'id') === undefined;
}
