import { METHODS } from '@/lib/protocol/methods';
import { spliceParams } from '@/lib/wire/json-text';
import { LIMITS } from '@/lib/wire/limits';
import type { JsonObject, RequestId } from '@/lib/wire/message';
import type { PendingRequest } from './pending';

export interface RequestOptions {
  /** Longest silence; {@link LIMITS.requestMs} if absent. */
  readonly timeoutMs?: number;
  /** Progress starts the silence anew; true if absent. */
  readonly resetOnProgress?: boolean;
  /** Longest wait in all; {@link LIMITS.requestMaxMs} if absent. */
  readonly maxMs?: number;
  /** Gets the params of each progress notification, unchecked. */
  readonly onProgress?: (params: JsonObject) => void;
}

/** A request that is not sent yet: its text, and how its answer is to be waited for. */
export interface RequestPlan {
  readonly text: string;
  readonly request: Omit<PendingRequest, 'token' | 'settle'>;
}

/** Id of auto mode's probe. A string, so that it can't meet the integers of other requests. */
export const PROBE_ID = 'mcp-inspect-probe';

const DEFAULT_WAIT = { timeoutMs: LIMITS.requestMs, maxMs: LIMITS.requestMaxMs };
const ENDLESS = { timeoutMs: Number.POSITIVE_INFINITY, maxMs: Number.POSITIVE_INFINITY };

/**
 * `params` is JSON text and stands in the message as it is (see {@link spliceParams}); `_meta` gets what of `eraMeta` and of what the
 * method needs the user did not give. Throws JsonTextError `params-not-json`.
 */
export function planRequest(
  id: RequestId,
  method: string,
  params: string | undefined,
  eraMeta: JsonObject,
  { onProgress, ...options }: RequestOptions,
): RequestPlan {
  const row = METHODS.get(method);
  const meta = row?.progress === true ? { ...eraMeta, progressToken: id } : eraMeta;
  const wait = row?.endless === true ? ENDLESS : DEFAULT_WAIT;
  const patience = {
    timeoutMs: options.timeoutMs ?? wait.timeoutMs,
    maxMs: options.maxMs ?? wait.maxMs,
    resetOnProgress: options.resetOnProgress ?? true,
  };
  const cancellation = row?.cancellable === false ? 'never' : 'told';
  return { text: spliceParams(method, id, params, meta), request: { id, method, cancellation, patience, onProgress } };
}

/** Auto mode's question which version the server speaks. What becomes of it is told by the handshake, so nobody calls it off. */
export function planProbe(eraMeta: JsonObject, timeoutMs: number): RequestPlan {
  const method = 'server/discover';
  const patience = { timeoutMs, maxMs: timeoutMs, resetOnProgress: false };
  return {
    text: spliceParams(method, PROBE_ID, undefined, eraMeta),
    request: { id: PROBE_ID, method, cancellation: 'silent', patience },
  };
}
