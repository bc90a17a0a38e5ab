import { ConnectionError, RefusedError, type Unanswered } from '@/lib/transports/transport';
import type { Failure, ProtocolVersion } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { Outcome } from './outcome';
import { classifyProbe, type ProbeVerdict } from './probe';
import { NEWEST_MODERN, offeredModern } from './versions';

/** Codes that only modern servers use: a header that differs from the body, a capability that is missing. */
const MODERN_CODES = [-32020, -32021];
const METHOD_NOT_FOUND = -32601;

/** Statuses that say nothing about what a server speaks: it wants something else first, or it is broken. */
function isNoVerdict(status: number): boolean {
  return status === 401 || status === 403 || status === 429 || isServerError(status);
}

/** Some servers break on a method that they don't know, and work: `initialize` is tried once. */
function isServerError(status: number): boolean {
  return status >= 500;
}

/** `instead`: why the probe failed, which is what went wrong if what follows from the verdict fails as well. */
export type HttpVerdict =
  | (ProbeVerdict & { readonly instead?: Failure })
  | { readonly era: 'unknown'; readonly failure: Failure };

/**
 * Reads the answer to the `server/discover` of auto mode over HTTP, where servers that don't know it refuse the request
 * itself in many ways. Everything else that would befall `initialize` too is a failure: no era is guessed from it.
 */
export function classifyHttpProbe(outcome: Outcome): HttpVerdict {
  if (outcome.kind === 'timeout') return { era: 'unknown', failure: SILENT };
  if (outcome.kind !== 'error' && outcome.kind !== 'lost') return classifyProbe(outcome);
  const { http } = outcome;
  const status = http?.status;
  if (http?.code === 'cors-modern') return legacy(`${http.message} Only requests of the modern era have these.`);
  if (http !== undefined && status !== undefined && isServerError(status)) {
    const reason = `The server failed at server/discover with HTTP ${status}: initialize is tried once.`;
    return { ...legacy(reason), instead: bothFailed(http) };
  }
  if (http !== undefined && (status === undefined || isNoVerdict(status))) return { era: 'unknown', failure: http };
  if (outcome.kind === 'error') {
    const { code } = outcome.error;
    const known = (status === 400 && MODERN_CODES.includes(code)) || (status === 404 && code === METHOD_NOT_FOUND);
    if (offeredModern(outcome.error) === undefined && known) return modern(NEWEST_MODERN, status, code);
    return classifyProbe(outcome);
  }
  if (http === undefined) return classifyProbe(outcome);
  if (http.code === 'no-answer') return legacy('The server took server/discover and left it unanswered.');
  if (status !== undefined && status < 300) return { era: 'unknown', failure: http };
  return legacy(`The server refused server/discover with HTTP ${status}.`);
}

function modern(version: ProtocolVersion, status: number | undefined, code: number): ProbeVerdict {
  const reason = `The server refused server/discover with HTTP ${status} and ${code}, as only modern servers do.`;
  return { era: 'modern', version, reason, discovered: undefined };
}

function legacy(reason: string): ProbeVerdict {
  return { era: 'legacy', reason, respawn: false };
}

function bothFailed({ code, message, advice }: Failure): Failure {
  return {
    code,
    message,
    advice: `${advice} That was the answer to server/discover, and initialize failed as well: \`--protocol VERSION\`, or *Protocol* in the form, sends only one of them.`,
  };
}

const SILENT: Failure = {
  code: 'handshake-timeout',
  message: `The server did not answer server/discover within ${LIMITS.probeMs / 1000} seconds.`,
  advice: 'Choose a protocol version to connect without that question, or see the server’s own log.',
};

/** True if the server itself refused a request. False if it got no answer, or something else is needed first. */
export function isRefusal(outcome: Outcome): boolean {
  if (outcome.kind === 'error') return true;
  const status = outcome.kind === 'lost' ? outcome.http?.status : undefined;
  return status !== undefined && status >= 400 && !isNoVerdict(status);
}

/** True if this answer to `initialize` is what a server of HTTP+SSE gives at its stream's address. */
export function mayBeSse(outcome: Outcome): boolean {
  if (outcome.kind !== 'error' && outcome.kind !== 'lost') return false;
  return [400, 404, 405].includes(outcome.http?.status ?? 0);
}

/** The failure to tell when HTTP, not the server's JSON-RPC, refused `initialize` or `server/discover`. */
export function httpRefusal(outcome: Outcome): ConnectionError | undefined {
  const http: Unanswered | undefined = outcome.kind === 'error' || outcome.kind === 'lost' ? outcome.http : undefined;
  if (http === undefined) return undefined;
  const saysMore = outcome.kind === 'error' && http.status !== undefined && !isNoVerdict(http.status);
  if (saysMore) return undefined;
  return http.status === undefined ? new ConnectionError(http) : new RefusedError(http.status, http);
}
