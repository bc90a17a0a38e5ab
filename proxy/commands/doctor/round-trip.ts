import { isObject, type JsonObject, own } from '@/lib/json/value';
import { systemClock } from '@/lib/wire/clock';
import type { ConnectedServer } from '../headless/on-server';
import { errorSentence } from '../headless/server-connection';

/** Milliseconds that the server has to answer. Its answer needs no work. */
const ROUND_TRIP_MS = 10_000;

/** How long a request without work takes, and the result; or what is wrong. */
export interface RoundTrip {
  readonly method: string;
  readonly ms?: number;
  readonly result?: JsonObject;
  readonly problem?: string;
}

/** Times a `ping` of a legacy server, or a `server/discover` of a modern one. Rejects if the server goes away. */
export async function timeRoundTrip({
  connection,
  negotiated,
}: Pick<ConnectedServer, 'connection' | 'negotiated'>): Promise<RoundTrip> {
  const method = negotiated?.era === 'modern' ? 'server/discover' : 'ping';
  const stop = new AbortController();
  const callOff = systemClock.after(ROUND_TRIP_MS, () => stop.abort());
  const from = performance.now();
  try {
    const answer = await connection.request(method, undefined, undefined, stop.signal);
    const ms = Number((performance.now() - from).toFixed(3));
    if (answer.kind === 'error') return { method, problem: `${method} failed. ${errorSentence(answer)}` };
    if (!isObject(answer.result)) return { method, ms, problem: `The result of ${method} is not an object.` };
    return { method, ms, result: answer.result };
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return { method, problem: `The server did not answer ${method} within ${ROUND_TRIP_MS / 1000} seconds.` };
  } finally {
    callOff();
  }
}

/** Returns the versions that a modern server supports; undefined if the result does not say. */
export function versionsIn({ result }: RoundTrip): readonly string[] | undefined {
  const versions = result && own(result, 'supportedVersions');
  return Array.isArray(versions) ? versions.filter((version) => typeof version === 'string') : undefined;
}
