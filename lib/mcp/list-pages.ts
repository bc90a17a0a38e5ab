import { ConnectionError } from '@/lib/transports/transport';
import { LIMITS } from '@/lib/wire/limits';
import { isObject, own } from '@/lib/wire/message';
import type { Engine } from './engine';

/**
 * Reads all pages of a list while `wanted`. Ends early on anything but a result, and on a cursor seen before; the log shows
 * which. The empty string is a cursor.
 */
export async function readPages(engine: Pick<Engine, 'request'>, method: string, wanted: () => boolean): Promise<void> {
  const seen = new Set<string>();
  let params: string | undefined;
  for (let page = 0; page < LIMITS.listPages && wanted(); page++) {
    const result = await readPage(engine, method, params);
    const cursor = isObject(result) ? own(result, 'nextCursor') : undefined;
    if (typeof cursor !== 'string' || seen.has(cursor)) return;
    seen.add(cursor);
    params = JSON.stringify({ cursor });
  }
}

async function readPage(engine: Pick<Engine, 'request'>, method: string, params: string | undefined): Promise<unknown> {
  try {
    const outcome = await engine.request(method, params).outcome;
    return outcome.kind === 'result' ? outcome.result : undefined;
  } catch (error) {
    if (error instanceof ConnectionError) return undefined;
    throw error;
  }
}
