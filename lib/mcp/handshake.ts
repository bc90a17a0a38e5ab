import { isObject, type JsonObject, own, type RpcError } from '@/lib/json/value';
import { ConnectionError, type HttpFailure, RefusedError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import type { ConnectionSummary } from '@/lib/wire/command';
import type { Era, Failure, LifecycleEvent, ProtocolChoice, ProtocolVersion } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { Outcome } from './requests';
import {
  type ClientInfo,
  commonModern,
  eraOf,
  isLegacyVersion,
  NEWEST_LEGACY,
  NEWEST_MODERN,
  offeredModern,
  SERVER_INFO_KEY,
  UNSUPPORTED_VERSION,
} from './versions';

/**
 * How long `server/discover` may go unanswered over HTTP, and by a process remembered as modern. A first start by
 * npx, which downloads, took 26 s; servers of either era that run answer in well under a second.
 */
export const PROBE_MS = 30_000;
/**
 * Silence of a process after `server/discover` before `initialize` is sent too. Servers that run answer within a
 * second; those that ignore unknown methods never do. Slower starts lose nothing: the probe stays outstanding.
 */
export const PROBE_QUIET_MS = 2000;
/** Characters kept of a remembered server's name and version together. */
const ERA_SERVER_CHARS = 200;
/** How long `initialize` may take: cold starts that download packages are slow. */
export const INITIALIZE_MS = 60_000;

/** What the handshake agreed on. What the server left out or got wrong is empty or undefined: the log has its bytes. */
export interface Negotiated {
  readonly era: Era;
  readonly version: string;
  readonly capabilities: JsonObject;
  readonly serverInfo: JsonObject | undefined;
  readonly instructions: string | undefined;
}

/**
 * How `server/discover` goes: to a process of ours that may exit on it, by HTTP where it may be refused with a status, or
 * not at all, because the transport is older than the question.
 */
export type Probing = 'process' | 'http' | 'never';

/** The era that an earlier run of the same server turned out to have. */
export interface RememberedEra {
  readonly era: Era;
  /** The server's name and version at that time, see {@link serverKey}. */
  readonly server: string;
  /** When it was probed, ISO 8601. */
  readonly at: string;
}

/** What the handshake needs of the engine. */
export interface HandshakePort {
  readonly clock: Clock;
  readonly clientInfo: ClientInfo;
  capabilities(version: string): JsonObject;
  sendRequest(method: string, params: JsonObject | undefined, timeoutMs: number): Promise<Outcome>;
  /** `server/discover` as `version` has it, under a string id of its own and never followed by a cancellation. */
  probe(version: ProtocolVersion, timeoutMs: number): Promise<Outcome>;
  /** Stops waiting for the answers to our requests of this method. The server hears nothing of it. */
  abandon(method: string): void;
  sendNotification(method: string): number;
  /** Resolves when the server knows its client, or after `withinMs`. Rejects if the connection ends meanwhile. */
  whenInitialized(withinMs: number): Promise<void>;
  /** From now on requests are made as this version wants them. */
  setVersion(version: string): void;
  /** Why the server is gone. */
  goneBecause(): ConnectionError;
  /** Starts the server again, ending the process if it still runs. Rejects if there will be no new process. */
  respawn(): Promise<void>;
  canRespawn(): boolean;
  probing(): Probing;
  /** Goes over to HTTP+SSE; undefined if that was not left open. Rejects if the server doesn't speak it either. */
  fallBack(): Promise<void> | undefined;
  logEvent(event: LifecycleEvent): void;
}

/** `title` of a client or server came with this version. */
const TITLE_SINCE: ProtocolVersion = '2025-06-18';

/** Opens the connection by `choice`; `remembered` saves auto mode its probe. Rejects with a {@link ConnectionError}. */
export async function negotiate(
  port: HandshakePort,
  choice: Exclude<ProtocolChoice, 'none'>,
  remembered?: RememberedEra,
): Promise<Negotiated> {
  const negotiated = await openAs(port, choice, remembered);
  port.logEvent({ event: 'open', era: negotiated.era, version: negotiated.version });
  return negotiated;
}

function openAs(
  port: HandshakePort,
  choice: Exclude<ProtocolChoice, 'none'>,
  remembered: RememberedEra | undefined,
): Promise<Negotiated> {
  if (choice === 'auto') return openAuto(port, remembered);
  return eraOf(choice) === 'modern' ? openModern(port, choice) : openLegacy(port, choice);
}

async function openAuto(port: HandshakePort, remembered: RememberedEra | undefined): Promise<Negotiated> {
  if (port.probing() === 'never') return openLegacy(port, NEWEST_LEGACY);
  if (remembered === undefined) return openByProbe(port, PROBE_QUIET_MS);
  port.logEvent({ event: 'era-remembered', era: remembered.era, at: remembered.at });
  // A modern server that starts slowly is not sent an `initialize` that it has no use for.
  if (remembered.era === 'modern') return openByProbe(port, PROBE_MS);
  const introduction = introduce(port, NEWEST_LEGACY);
  const outcome = await introduction.outcome;
  if (!isRefusal(outcome)) return openLegacy(port, NEWEST_LEGACY, introduction);
  port.logEvent({ event: 'era-forgotten', reason: 'The server refused initialize.' });
  return openByProbe(port, PROBE_QUIET_MS);
}

/** `quietMs`: how long a process may be silent before `initialize` is sent too. */
async function openByProbe(port: HandshakePort, quietMs: number): Promise<Negotiated> {
  const overHttp = port.probing() === 'http';
  const probe = port.probe(NEWEST_MODERN, overHttp ? PROBE_MS : Number.POSITIVE_INFINITY);
  if (overHttp) return openAfter(port, classifyHttpProbe(await probe));
  const outcome = await within(port.clock, quietMs, probe);
  if (outcome !== undefined) return openAfter(port, classifyProbe(outcome));
  port.logEvent({ event: 'probe-silent', afterMs: quietMs });
  const introduction = introduce(port, NEWEST_LEGACY);
  const verdict = await Promise.race([probe.then(classifyProbe), byInitialize(port.clock, introduction.outcome)]);
  if (verdict.era === 'legacy') {
    port.abandon('server/discover');
    return openAfter(port, verdict, introduction);
  }
  // A server that answers both has opened a legacy session in this process (the official SDK does). Others may exit on
  // initialize.
  const initialized = await within(port.clock, PROBE_QUIET_MS, introduction.outcome);
  port.abandon('initialize');
  const spoilt = initialized && SPOILT_BY[initialized.kind];
  return openAfter(port, spoilt ? { ...verdict, reason: `${verdict.reason} ${spoilt}`, respawn: true } : verdict);
}

/** `sent`: an `initialize` that is out already. */
async function openAfter(port: HandshakePort, verdict: HttpVerdict, sent?: Introduction): Promise<Negotiated> {
  if (verdict.era === 'unknown') throw new ConnectionError(verdict.failure);
  const { respawn = false } = verdict;
  if (respawn && verdict.era === 'legacy' && !port.canRespawn()) throw port.goneBecause();
  port.logEvent({ event: 'probe', era: verdict.era, reason: verdict.reason, respawn });
  if (respawn) await port.respawn();
  if (verdict.era === 'modern') {
    port.setVersion(verdict.version);
    return !respawn && isObject(verdict.discovered)
      ? fromDiscovery(verdict.version, verdict.discovered)
      : discoverAgain(port, verdict.version);
  }
  const { instead } = verdict;
  const opening = openLegacy(port, NEWEST_LEGACY, respawn ? undefined : sent);
  if (instead === undefined) return opening;
  return opening.catch(() => {
    throw new ConnectionError(instead);
  });
}

/** Resolves with what `work` comes to, or with undefined after `ms`. */
async function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | undefined> {
  let callOff = (): void => {};
  const late = new Promise<undefined>((resolve) => {
    callOff = clock.after(ms, () => resolve(undefined));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    callOff();
  }
}

/**
 * Returns the verdict of an `initialize` that is sent while the probe is outstanding. A refusal counts only after a
 * delay, because modern servers may refuse it before they answer the probe. An exit decides nothing: the probe sees it
 * too.
 */
async function byInitialize(clock: Clock, initialized: Promise<Outcome>): Promise<ProbeVerdict> {
  const { kind } = await initialized;
  const never = new Promise<never>(() => {});
  if (kind === 'error') await within(clock, PROBE_QUIET_MS, never);
  return kind === 'lost' ? never : { era: 'legacy', reason: INITIALIZE_SAYS[kind], respawn: false };
}

const INITIALIZE_SAYS = {
  result: 'The server answered initialize, and not server/discover: a late answer to that is ignored.',
  error: 'The server refused initialize, and did not answer server/discover.',
  timeout: 'The server answered neither server/discover nor initialize.',
  cancelled: 'initialize was cancelled.',
} as const;

/** Why the process of a modern server is of no more use after the outcome of an `initialize`, if so. */
const SPOILT_BY: { readonly [K in Outcome['kind']]?: string } = {
  result: 'It answered initialize too, which may have begun a legacy session.',
  lost: 'It exited on initialize.',
};

/** The server named a version when it refused the probe; who it is, it may say or not. */
async function discoverAgain(port: HandshakePort, version: ProtocolVersion): Promise<Negotiated> {
  const outcome = await port.sendRequest('server/discover', undefined, INITIALIZE_MS);
  if (outcome.kind === 'lost') throw port.goneBecause();
  return fromDiscovery(version, outcome.kind === 'result' ? outcome.result : undefined);
}

/**
 * The modern era has no handshake. One `server/discover` tells who the server is and what it can do; servers must
 * implement it, so a refusal means that this is no server of that era.
 */
async function openModern(port: HandshakePort, version: ProtocolVersion): Promise<Negotiated> {
  port.setVersion(version);
  const outcome = await port.sendRequest('server/discover', undefined, INITIALIZE_MS);
  // A refusal that offers the very version that it refused: the specification has clients try what is offered.
  const offered = outcome.kind === 'error' && offeredModern(outcome.error) === version;
  const result = offered
    ? await resultOf(port, 'server/discover', undefined, version)
    : resultIn(port, 'server/discover', outcome, version);
  return fromDiscovery(version, result);
}

/** An `initialize` that is out. */
interface Introduction {
  readonly params: JsonObject;
  /** On the clock. */
  readonly sentAt: number;
  readonly outcome: Promise<Outcome>;
}

function introduce(port: HandshakePort, version: ProtocolVersion): Introduction {
  const { title, ...named } = port.clientInfo;
  const clientInfo = title === undefined || version < TITLE_SINCE ? named : { ...named, title };
  const params = { protocolVersion: version, capabilities: port.capabilities(version), clientInfo };
  return { params, sentAt: port.clock.now(), outcome: port.sendRequest('initialize', params, INITIALIZE_MS) };
}

async function openLegacy(
  port: HandshakePort,
  version: ProtocolVersion,
  introduction = introduce(port, version),
): Promise<Negotiated> {
  const result = await initialize(port, introduction, version);
  const tookMs = port.clock.now() - introduction.sentAt;
  const said = isObject(result) ? own(result, 'protocolVersion') : undefined;
  const agreed = typeof said === 'string' ? said : version;
  if (!isLegacyVersion(agreed)) throw unknownVersion(agreed);
  port.setVersion(agreed);
  port.sendNotification('notifications/initialized');
  await port.whenInitialized(introductionMs(tookMs));
  return identityOf('legacy', agreed, result, isObject(result) ? own(result, 'serverInfo') : undefined);
}

/** How long a server that took so long to answer `initialize` may take to know its client. */
function introductionMs(tookMs: number): number {
  const { introductionTimes, introductionFirstMs, introductionLastMs } = LIMITS;
  return Math.min(Math.max(introductionTimes * tookMs, introductionFirstMs), introductionLastMs);
}

/** Over HTTP a refusal may mean the older transport, if the person left that open; what it then says is the last word. */
async function initialize(port: HandshakePort, introduction: Introduction, version: ProtocolVersion): Promise<unknown> {
  const { params } = introduction;
  const outcome = await introduction.outcome;
  const other = mayBeSse(outcome) ? port.fallBack() : undefined;
  if (other === undefined) return resultIn(port, 'initialize', outcome, version);
  try {
    await other;
  } catch {
    // That there is no event stream either is in the log; the first refusal says more about what is wrong.
    return resultIn(port, 'initialize', outcome, version);
  }
  return resultOf(port, 'initialize', params, version);
}

function fromDiscovery(version: ProtocolVersion, result: unknown): Negotiated {
  const meta = isObject(result) ? own(result, '_meta') : undefined;
  return identityOf('modern', version, result, isObject(meta) ? own(meta, SERVER_INFO_KEY) : undefined);
}

function identityOf(era: Era, version: string, result: unknown, serverInfo: unknown): Negotiated {
  const said = isObject(result) ? result : {};
  const capabilities = own(said, 'capabilities');
  const instructions = own(said, 'instructions');
  return {
    era,
    version,
    capabilities: isObject(capabilities) ? capabilities : {},
    serverInfo: isObject(serverInfo) ? serverInfo : undefined,
    instructions: typeof instructions === 'string' ? instructions : undefined,
  };
}

async function resultOf(
  port: HandshakePort,
  method: string,
  params: JsonObject | undefined,
  version: ProtocolVersion,
): Promise<unknown> {
  return resultIn(port, method, await port.sendRequest(method, params, INITIALIZE_MS), version);
}

function resultIn(port: HandshakePort, method: string, outcome: Outcome, version: ProtocolVersion): unknown {
  if (outcome.kind === 'result') return outcome.result;
  const refusal = httpRefusal(outcome);
  if (refusal !== undefined) throw refusal;
  if (outcome.kind === 'lost') throw port.goneBecause();
  throw outcome.kind === 'error' ? refused(method, outcome.error, version) : unanswered(method, outcome.kind);
}

/**
 * Returns the server's name and version as one text, at most `ERA_SERVER_CHARS`. '' if it sent neither.
 */
export function serverKey({ serverInfo }: Negotiated): string {
  const words = ['name', 'version'].map((key) => (serverInfo ? own(serverInfo, key) : undefined));
  const said = words.filter((word) => typeof word === 'string').join(' ');
  return said.slice(0, ERA_SERVER_CHARS);
}

function refused(method: string, error: RpcError, version: ProtocolVersion): ConnectionError {
  const other = offeredModern(error);
  const choice =
    other === undefined || other === version
      ? 'Try auto or another protocol version'
      : `Choose ${other} as the protocol`;
  return new ConnectionError({
    code: 'handshake-refused',
    message: `The server refused ${method} for ${version} with error ${error.code} (${JSON.stringify(error.message)}).`,
    advice: `${choice}, or connect without a handshake (\`--no-handshake\`).`,
  });
}

function unanswered(method: string, kind: 'timeout' | 'cancelled'): ConnectionError {
  return new ConnectionError({
    code: `handshake-${kind}`,
    message:
      kind === 'timeout'
        ? `The server did not answer ${method} within ${INITIALIZE_MS / 1000} seconds.`
        : `${method} was cancelled before the server answered it.`,
    advice: 'Look at what the server sent and printed, and check that it is an MCP server.',
  });
}

function unknownVersion(version: string): ConnectionError {
  const modern = eraOf(version) === 'modern';
  return new ConnectionError({
    code: 'version-unknown',
    message: `The server answered initialize with protocol version ${version}, which has no initialize handshake here.`,
    advice: modern
      ? `Choose ${NEWEST_MODERN} as the protocol, or make the server answer a version up to ${NEWEST_LEGACY}.`
      : `Make the server answer a released version, such as ${NEWEST_LEGACY}.`,
  });
}

/** What auto mode does next, and why, in one sentence. */
export type ProbeVerdict =
  /**
   * `discovered` is the DiscoverResult, if the probe got one. `respawn`: the process has opened a session of the
   * other era.
   */
  | {
      readonly era: 'modern';
      readonly version: ProtocolVersion;
      readonly reason: string;
      readonly discovered: unknown;
      readonly respawn?: true;
    }
  /** `respawn`: the probed process is gone; `initialize` needs a new one. */
  | { readonly era: 'legacy'; readonly reason: string; readonly respawn: boolean };

/**
 * Reads the answer to the `server/discover` of auto mode. Only two answers mean modern: a DiscoverResult with a version we
 * speak, and a version error that lists one. No other code is looked at: legacy servers refuse the probe in many ways.
 */
export function classifyProbe(outcome: Outcome): ProbeVerdict {
  if (outcome.kind === 'result') return classifyResult(outcome.result);
  if (outcome.kind === 'error') return classifyError(outcome.error);
  return { era: 'legacy', ...NO_ANSWER[outcome.kind] };
}

const NO_ANSWER = {
  timeout: { reason: 'The server left server/discover unanswered.', respawn: false },
  cancelled: { reason: 'The probe was cancelled.', respawn: false },
  lost: { reason: 'The server exited instead of answering server/discover.', respawn: true },
} as const;

function classifyResult(result: unknown): ProbeVerdict {
  const offered = isObject(result) ? own(result, 'supportedVersions') : undefined;
  const version = commonModern(offered);
  if (version !== undefined) {
    return {
      era: 'modern',
      version,
      reason: `The server answered server/discover with ${version}.`,
      discovered: result,
    };
  }
  const reason = Array.isArray(offered)
    ? 'The server answered server/discover, but with no modern version that is known here.'
    : 'The server answered server/discover without a list of supported versions.';
  return { era: 'legacy', reason, respawn: false };
}

function classifyError(error: { readonly code: number; readonly data?: unknown }): ProbeVerdict {
  const version = offeredModern(error);
  if (version !== undefined) {
    const reason = `The server refused server/discover with ${error.code}, but offers ${version}.`;
    return { era: 'modern', version, reason, discovered: undefined };
  }
  const detail = error.code === UNSUPPORTED_VERSION ? ' and offers no modern version that is known here' : '';
  return { era: 'legacy', reason: `The server refused server/discover with ${error.code}${detail}.`, respawn: false };
}

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
  message: `The server did not answer server/discover within ${PROBE_MS / 1000} seconds.`,
  advice: 'Choose a protocol version to connect without that question, or see the server’s own log.',
};

/** True if the server itself refused a request. False if it got no answer, or something else is needed first. */
function isRefusal(outcome: Outcome): boolean {
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
  const http: HttpFailure | undefined = outcome.kind === 'error' || outcome.kind === 'lost' ? outcome.http : undefined;
  if (http === undefined) return undefined;
  const saysMore = outcome.kind === 'error' && http.status !== undefined && !isNoVerdict(http.status);
  if (saysMore) return undefined;
  return http.status === undefined ? new ConnectionError(http) : new RefusedError(http.status, http);
}

/** What a connection's summary tells of the handshake. */
export function negotiatedSummary({
  era,
  version,
  serverInfo,
}: Negotiated): Pick<ConnectionSummary, 'era' | 'version' | 'serverName'> {
  const serverName = own(serverInfo ?? {}, 'name');
  return { era, version, ...(typeof serverName === 'string' && { serverName }) };
}
