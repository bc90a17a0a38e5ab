import { isObject, own } from '@/lib/json/value';
import type { Frame } from '@/lib/wire/frame';
import { METHOD } from '@/lib/wire/protocol-names';
import { EXIT, type ExitCode, ExitError, usageError } from '@/proxy/cli/exit-code';
import { type Action, type ConnectedServer, onServer } from './headless/on-server';
import { request, requireResult } from './headless/results';
import { messagesIn } from './headless/server-connection';

/** Words for the list changes of a listen filter (2026-07-28). */
const LISTS: ReadonlyMap<string, string> = new Map([
  ['tools', 'toolsListChanged'],
  ['prompts', 'promptsListChanged'],
  ['resources', 'resourcesListChanged'],
]);

/**
 * Prints each notification of the server as a line of JSON, until Ctrl-C or `--timeout`. A modern server is asked for a
 * stream with the changes that the words name. A legacy server sends them anyway, except updates of resources.
 */
export const run = onServer(async ({ words, given }) => {
  const uris = given.get('resource') ?? [];
  const wanted = words.length === 0 && uris.length === 0 ? [...LISTS.keys()] : words;
  const unknown = wanted.find((word) => !LISTS.has(word));
  if (unknown !== undefined) {
    throw usageError(`There is no list \`${unknown.slice(0, 60)}\`: choose from ${[...LISTS.keys()].join(', ')}.`);
  }
  const stop = new AbortController();
  let print = (_line: string): void => {};
  const listen = async (server: ConnectedServer): Promise<ExitCode> => {
    print = (line) => server.out.printExact(line);
    try {
      if (server.negotiated?.era === 'modern') return await listenModern(server, wanted, uris, stop.signal);
      for (const uri of uris) requireResult(await request(server, 'resources/subscribe', JSON.stringify({ uri })));
      server.out.printNote('mcp-inspect', 'Listening. Ctrl-C ends it.');
      await server.connection.untilStopped(stop.signal);
      return EXIT.interrupted;
    } catch (error) {
      if (stop.signal.aborted) return EXIT.interrupted;
      // The time to listen is over.
      if (error instanceof ExitError && error.exitCode === EXIT.timeout) return EXIT.fine;
      throw error;
    }
  };
  const action: Action = Object.assign(listen, {
    connect: {
      onFrame: ({ channel, direction, bytes }: Frame) => {
        if (channel !== 'protocol' || direction !== 'to-client') return;
        const line = Buffer.from(bytes)
          .toString()
          .replace(/[\r\n]+/g, ' ');
        if (messagesIn(line).some(isNotification)) print(line);
      },
      interrupt: () => {
        stop.abort();
        return true;
      },
    },
  });
  return action;
});

async function listenModern(
  server: ConnectedServer,
  wanted: readonly string[],
  uris: readonly string[],
  signal: AbortSignal,
): Promise<ExitCode> {
  const lists = Object.fromEntries(wanted.map((word) => [LISTS.get(word)!, true]));
  const notifications = { ...lists, ...(uris.length > 0 && { resourceSubscriptions: uris }) };
  server.out.printNote('mcp-inspect', 'Listening. Ctrl-C ends it.');
  requireResult(await server.connection.request(METHOD.listen, JSON.stringify({ notifications }), undefined, signal));
  server.out.printNote('mcp-inspect', 'The server ended the stream.');
  return EXIT.fine;
}

function isNotification(message: unknown): boolean {
  return isObject(message) && typeof own(message, 'method') === 'string' && own(message, 'id') === undefined;
}
