import { isObject, own } from '@/lib/json/value';
import type { Frame } from '@/lib/wire/frame';
import { METHOD } from '@/lib/wire/protocol-names';
import { EXIT, type ExitCode, ExitError } from '@/proxy/cli/exit-code';
import type { CommandAction, ConnectedServer } from '../headless/on-server';
import { request, requireResult } from '../headless/results';
import { messagesIn } from '../headless/server-connection';

/** Reads and prints the resource. */
type Read = (server: ConnectedServer) => Promise<ExitCode>;

const decoder = new TextDecoder();

/** Least time from one read to the next, in ms, since a read may itself cause an update. */
const PAUSE_MS = 500;

/**
 * Makes an action that reads a resource, subscribes to it, and reads it again on each update, until Ctrl-C, the end of
 * `--timeout`, or the end of the subscription. Updates that come during a read cause one more.
 */
export function followAction(uri: string, read: Read): CommandAction {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isChanged = false;
  let hasEnded = false;
  let wake = (): void => {};
  const readChanges = async (server: ConnectedServer): Promise<void> => {
    while (!signal.aborted && (isChanged || !hasEnded)) {
      if (isChanged) {
        await pause(signal);
        isChanged = false;
        if (!signal.aborted) await read(server);
        continue;
      }
      server.out.status.show('Waiting for a change… Ctrl-C stops');
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      server.out.status.end();
    }
  };
  const action = async (server: ConnectedServer): Promise<ExitCode> => {
    // First, so that no change is missed.
    const end = await subscribe(uri, server, signal, () => {
      hasEnded = true;
      wake();
    });
    await read(server);
    try {
      const following = readChanges(server);
      await Promise.race([following, server.connection.untilStopped(signal).then(() => following)]);
    } catch (error) {
      // The time to follow is over.
      if (error instanceof ExitError && error.exitCode === EXIT.timeout) return EXIT.fine;
      throw error;
    }
    if (!signal.aborted) {
      server.out.printNote('mcp-inspect', 'The subscription has ended.');
      return EXIT.serverError;
    }
    await end();
    return EXIT.interrupted;
  };
  const onFrame = ({ channel, direction, bytes }: Frame): void => {
    if (direction !== 'to-client' || (channel !== 'protocol' && channel !== 'lifecycle')) return;
    const messages = messagesIn(decoder.decode(bytes));
    if (channel === 'lifecycle') hasEnded ||= messages.some(isEnd);
    else if (messages.some(isUpdate)) isChanged = true;
    wake();
  };
  const isUpdate = (message: unknown): boolean => {
    const params = isObject(message) && own(message, 'method') === METHOD.updated ? own(message, 'params') : undefined;
    return isObject(params) && own(params, 'uri') === uri;
  };
  const interrupt = (): boolean => {
    stopping.abort();
    wake();
    return true;
  };
  return Object.assign(action, { connect: { onFrame, interrupt } });
}

/** Resolves after {@link PAUSE_MS}, or once the signal is aborted. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, PAUSE_MS);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

/** True for the event after which no update comes any more, although the connection goes on. */
function isEnd(event: unknown): boolean {
  return isObject(event) && own(event, 'event') === 'session-lost';
}

/** Subscribes in the way of the era. Returns a function that ends the subscription; `onEnd` is called if it ends. */
async function subscribe(
  uri: string,
  server: ConnectedServer,
  signal: AbortSignal,
  onEnd: () => void,
): Promise<() => Promise<void>> {
  if (server.negotiated?.era !== 'modern') {
    const params = JSON.stringify({ uri });
    requireResult(await request(server, 'resources/subscribe', params));
    return async () => void (await request(server, 'resources/unsubscribe', params));
  }
  const params = JSON.stringify({ notifications: { resourceSubscriptions: [uri] } });
  // Aborting the signal cancels the request. If the server is gone, the connection says why.
  void server.connection.requestSeq(METHOD.listen, params, signal).then(onEnd, () => {});
  return async () => {};
}
