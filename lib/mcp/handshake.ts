import { typeWords } from '@/lib/json/type-words';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { ConnectionError, type HttpFailure, RefusedError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import type { ConnectionSummary } from '@/lib/wire/command';
import { countOf } from '@/lib/wire/format';
import {
  type Era,
  type Failure,
  isFailure,
  type LifecycleEvent,
  type ProtocolChoice,
  type ProtocolVersion,
} from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { errorName, type RpcError } from '@/lib/wire/message';
import { newerVersion, updateAdvice } from '@/lib/wire/newer-version';
import { META_KEY, METHOD, RPC_CODE } from '@/lib/wire/protocol-names';
import { serverLabel } from '@/lib/wire/server-label';
import type { RequestOutcome } from './requests';
import {
  type ClientInfo,
  commonModern,
  eraOf,
  isLegacyVersion,
  NEWEST_LEGACY,
  NEWEST_MODERN,
  offeredModern,
} from './versions';

/** The result of the handshake. Fields that the server omitted or got wrong are empty or undefined. */
export interface Negotiated {
  readonly era: Era;
  readonly version: string;
  /** The fault of the version that `initialize` returned. Then {@link version} is the one we asked for. */
  readonly versionFault?: string;
  readonly capabilities: JsonObject;
  /** The `capabilities` as sent, if they are not an object. */
  readonly invalidCapabilities?: unknown;
  readonly serverInfo: JsonObject | undefined;
  readonly instructions: string | undefined;
}

/**
 * How auto mode sends `server/discover`: to a process of ours, which may exit on it; by HTTP, where it may be refused
 * with a status; or never, because the transport belongs to the legacy era.
 */
export type ProbeMode = 'process' | 'http' | 'never';

/** The era that an earlier run of the same server found. */
export interface RememberedEra {
  readonly era: Era;
  /** The server's name and version at that time, see {@link announcedServer}. */
  readonly server: string;
  /** When the server was probed, ISO 8601. */
  readonly at: string;
}

/** The engine, as far as the handshake needs it. */
export interface HandshakePort {
  readonly clock: Clock;
  readonly clientInfo: ClientInfo;
  /** Milliseconds to wait for each answer. Absent: {@link INITIALIZE_MS}, and {@link PROBE_MS} for the probe. */
  readonly answerMs: number | undefined;
  capabilities(version: string): JsonObject;
  sendRequest(method: string, params: JsonObject | undefined, timeoutMs: number): Promise<RequestOutcome>;
  /** Sends `server/discover` in this version, under its own string id. It is never followed by a cancellation. */
  probe(version: ProtocolVersion, timeoutMs: number): Promise<RequestOutcome>;
  /** Stops waiting for the answers to our requests of this method, without notifying the server. */
  abandon(method: string): void;
  sendNotification(method: string): number;
  /**
   * Resolves when the server has processed `notifications/initialized`, or after `withinMs`. Rejects if the connection
   * ends.
   */
  whenInitialized(withinMs: number): Promise<void>;
  /** Makes requests in this version from now on. */
  setVersion(version: string): void;
  /** True once somebody closes the connection. Then nothing more is sent. */
  isClosing(): boolean;
  /** Returns the reason why the server is gone. */
  endReason(): ConnectionError;
  /** Starts the server again, ending the process if it still runs. Rejects if there will be no new process. */
  respawn(): Promise<void>;
  canRespawn(): boolean;
  probeMode(): ProbeMode;
  /**
   * Switches to HTTP+SSE, or returns undefined if that is not an option. Rejects if the server doesn't speak it either.
   */
  fallBack(): Promise<void> | undefined;
  logEvent(event: LifecycleEvent): void;
}

/** Performs the handshake. With `remembered`, auto mode may need no probe. Rejects with a {@link ConnectionError}. */
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

/**
 * Milliseconds to wait for `server/discover` over HTTP, and from a process remembered as modern. A first start by npx,
 * which downloads, took 26 s. Running servers of both eras answer in well under a second.
 */
export const PROBE_MS = 30_000;
/**
 * Milliseconds to wait for a process to answer `server/discover` before `initialize` is sent too. Running servers
 * answer within a second, or never if they ignore unknown methods. A slower start loses nothing: the probe stays
 * pending.
 */
export const PROBE_QUIET_MS = 2000;

async function openAuto(port: HandshakePort, remembered: RememberedEra | undefined): Promise<Negotiated> {
  if (port.probeMode() === 'never') return openLegacy(port, NEWEST_LEGACY);
  if (remembered === undefined) return openByProbe(port, PROBE_QUIET_MS);
  port.logEvent({ event: 'era-remembered', era: remembered.era, at: remembered.at });
  // Waits the full time, so that a modern server with a slow start gets no `initialize`.
  if (remembered.era === 'modern') return openByProbe(port, PROBE_MS);
  const sentInitialize = sendInitialize(port, NEWEST_LEGACY);
  const outcome = await sentInitialize.outcome;
  if (!isRefusal(outcome)) return openLegacy(port, NEWEST_LEGACY, sentInitialize);
  port.logEvent({ event: 'era-forgotten', reason: 'The server refused initialize.' });
  return openByProbe(port, PROBE_QUIET_MS);
}

/** `quietMs`: milliseconds to wait for a process to answer before `initialize` is sent too. */
async function openByProbe(port: HandshakePort, quietMs: number): Promise<Negotiated> {
  const overHttp = port.probeMode() === 'http';
  const probeMs = port.answerMs ?? PROBE_MS;
  const probe = port.probe(NEWEST_MODERN, overHttp ? probeMs : Number.POSITIVE_INFINITY);
  if (overHttp) return openAfter(port, classifyHttpProbe(await probe, probeMs));
  const waitMs = Math.min(quietMs, port.answerMs ?? quietMs);
  const outcome = await within(port.clock, waitMs, probe);
  if (port.isClosing()) throw port.endReason();
  if (outcome !== undefined) return openAfter(port, classifyProbe(outcome));
  port.logEvent({ event: 'probe-silent', afterMs: waitMs });
  const sentInitialize = sendInitialize(port, NEWEST_LEGACY);
  const verdict = await Promise.race([probe.then(classifyProbe), byInitialize(port.clock, sentInitialize.outcome)]);
  if (verdict.era === 'legacy') {
    port.abandon('server/discover');
    return openAfter(port, verdict, sentInitialize);
  }
  // A server that answers both has opened a legacy session in this process (the official SDK does), so the process is
  // replaced. Some servers exit on initialize.
  const initialized = await within(port.clock, PROBE_QUIET_MS, sentInitialize.outcome);
  port.abandon('initialize');
  const unusable = initialized && UNUSABLE_AFTER[initialized.kind];
  return openAfter(port, unusable ? { ...verdict, reason: `${verdict.reason} ${unusable}`, respawn: true } : verdict);
}

/** `sent`: an `initialize` that was already sent. */
async function openAfter(port: HandshakePort, verdict: HttpVerdict, sent?: SentInitialize): Promise<Negotiated> {
  if (verdict.era === 'unknown') throw new ConnectionError(verdict.failure);
  const { respawn = false } = verdict;
  if (respawn && verdict.era === 'legacy' && !port.canRespawn()) throw port.endReason();
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

/** Resolves with the result of `work`, or with undefined after `ms`. */
async function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | undefined> {
  let cancelTimer = (): void => {};
  const late = new Promise<undefined>((resolve) => {
    cancelTimer = clock.after(ms, () => resolve(undefined));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    cancelTimer();
  }
}

/**
 * Returns the verdict of an `initialize` that was sent while the probe is pending. A refusal counts only after a delay,
 * because modern servers may refuse it before they answer the probe. An exit is left to the probe, which sees it too.
 */
async function byInitialize(clock: Clock, initialized: Promise<RequestOutcome>): Promise<ProbeVerdict> {
  const outcome = await initialized;
  const never = new Promise<never>(() => {});
  if (outcome.kind === 'error') await within(clock, PROBE_QUIET_MS, never);
  if (outcome.kind !== 'lost') return { era: 'legacy', reason: LEGACY_BECAUSE[outcome.kind], respawn: false };
  return outcome.unusable ? { era: 'legacy', reason: LEGACY_BECAUSE.unusable, respawn: false } : never;
}

const LEGACY_BECAUSE = {
  result: 'The server answered initialize first. A late answer to server/discover is ignored.',
  error: 'The server refused initialize and did not answer server/discover.',
  timeout: 'The server answered neither server/discover nor initialize.',
  cancelled: 'initialize was cancelled.',
  unusable: 'The server’s answer to initialize can’t be used.',
} as const;

/** Outcomes of `initialize` after which the process of a modern server has to be replaced. */
const UNUSABLE_AFTER: { readonly [K in RequestOutcome['kind']]?: string } = {
  result: 'It also answered initialize, which may have opened a legacy session.',
  lost: 'It exited on initialize.',
};

/**
 * Asks for the server's name and capabilities after it named a version in its refusal of the probe. The connection
 * opens without them too.
 */
async function discoverAgain(port: HandshakePort, version: ProtocolVersion): Promise<Negotiated> {
  const outcome = await ask(port, 'server/discover', undefined);
  if (outcome.kind === 'lost' && !outcome.unusable) throw port.endReason();
  return fromDiscovery(version, outcome.kind === 'result' ? outcome.result : undefined);
}

/**
 * Opens a modern connection, which has no handshake: one `server/discover` returns the server's name and capabilities.
 * Modern servers must implement it, so a refusal means that this server is not modern.
 */
async function openModern(port: HandshakePort, version: ProtocolVersion): Promise<Negotiated> {
  port.setVersion(version);
  const outcome = await ask(port, 'server/discover', undefined);
  // The refusal may offer the very version that it refused. The specification tells clients to try offered versions.
  const offered = outcome.kind === 'error' && offeredModern(outcome.error) === version;
  const result = offered
    ? await resultOf(port, 'server/discover', undefined, version)
    : resultIn(port, 'server/discover', outcome, version);
  return fromDiscovery(version, result);
}

/** Milliseconds to wait for `initialize`. */
export const INITIALIZE_MS = LIMITS.handshakeMs;

/** Sends a request of the handshake. */
function ask(port: HandshakePort, method: string, params: JsonObject | undefined): Promise<RequestOutcome> {
  return port.sendRequest(method, params, port.answerMs ?? INITIALIZE_MS);
}

/** The version that introduced the `title` of a client. */
const TITLE_SINCE: ProtocolVersion = '2025-06-18';

/** An `initialize` that was sent. */
interface SentInitialize {
  readonly params: JsonObject;
  /** On the clock. */
  readonly sentAt: number;
  readonly outcome: Promise<RequestOutcome>;
}

function sendInitialize(port: HandshakePort, version: ProtocolVersion): SentInitialize {
  const { title: _, ...untitled } = port.clientInfo;
  const clientInfo = version < TITLE_SINCE ? untitled : port.clientInfo;
  const params = { protocolVersion: version, capabilities: port.capabilities(version), clientInfo };
  return { params, sentAt: port.clock.now(), outcome: ask(port, 'initialize', params) };
}

async function openLegacy(
  port: HandshakePort,
  version: ProtocolVersion,
  sentInitialize = sendInitialize(port, version),
): Promise<Negotiated> {
  const result = await initialize(port, sentInitialize, version);
  const tookMs = port.clock.now() - sentInitialize.sentAt;
  const said = isObject(result) ? own(result, 'protocolVersion') : undefined;
  const agreed = typeof said === 'string' ? said : version;
  if (!isLegacyVersion(agreed)) throw unknownVersion(agreed);
  port.setVersion(agreed);
  port.sendNotification(METHOD.initialized);
  await port.whenInitialized(initializedMs(tookMs));
  const identity = identityOf('legacy', agreed, result, isObject(result) ? own(result, 'serverInfo') : undefined);
  if (typeof said === 'string') return identity;
  const fault = !isObject(result)
    ? `is ${typeWords(result)}, expected an object`
    : said === undefined
      ? 'has no `protocolVersion`'
      : `has ${typeWords(said)} as \`protocolVersion\`, expected a string`;
  return { ...identity, versionFault: `The result of initialize ${fault}.` };
}

/**
 * Milliseconds that the handshake waits over HTTP for `notifications/initialized` to be processed. The wait is a
 * multiple of the time that `initialize` took, within these bounds, because a machine under load is slow here too.
 */
export const INITIALIZED_TIMES = 5;
export const INITIALIZED_MIN_MS = 500;
export const INITIALIZED_MAX_MS = 5000;

/** Returns how long to wait for `notifications/initialized`, from the time that `initialize` took. In milliseconds. */
function initializedMs(tookMs: number): number {
  return Math.min(Math.max(INITIALIZED_TIMES * tookMs, INITIALIZED_MIN_MS), INITIALIZED_MAX_MS);
}

/**
 * Over HTTP a refusal may mean that the server speaks HTTP+SSE. If the user allows that, `initialize` is sent again
 * there.
 */
async function initialize(
  port: HandshakePort,
  sentInitialize: SentInitialize,
  version: ProtocolVersion,
): Promise<unknown> {
  const { params } = sentInitialize;
  const outcome = await sentInitialize.outcome;
  const other = mayBeSse(outcome) ? port.fallBack() : undefined;
  if (other === undefined) return resultIn(port, 'initialize', outcome, version);
  try {
    await other;
  } catch (error) {
    if (isFailure(error) && SSE_FAILURES.has(error.code) && refusesPost(outcome)) throw error;
    // The log shows that there is no event stream either. The first refusal says more about the cause.
    return resultIn(port, 'initialize', outcome, version);
  }
  return resultOf(port, 'initialize', params, version);
}

/** Failures of HTTP+SSE at a URL that answers GET, as its servers do, or never. */
const SSE_FAILURES: ReadonlySet<string> = new Set(['no-endpoint', 'get-unanswered']);

/** True if nothing at the URL takes a POST. A refusal of `initialize` by an MCP server says more than a GET. */
function refusesPost(outcome: RequestOutcome): boolean {
  if (outcome.kind !== 'error' && outcome.kind !== 'lost') return false;
  const status = outcome.http?.status;
  return status === 405 || (status === 404 && outcome.kind === 'lost');
}

function fromDiscovery(version: ProtocolVersion, result: unknown): Negotiated {
  const meta = isObject(result) ? own(result, '_meta') : undefined;
  return identityOf('modern', version, result, isObject(meta) ? own(meta, META_KEY.serverInfo) : undefined);
}

function identityOf(era: Era, version: string, result: unknown, serverInfo: unknown): Negotiated {
  const said = isObject(result) ? result : {};
  const capabilities = own(said, 'capabilities');
  const instructions = own(said, 'instructions');
  return {
    era,
    version,
    capabilities: isObject(capabilities) ? capabilities : {},
    ...(capabilities !== undefined && !isObject(capabilities) && { invalidCapabilities: capabilities }),
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
  return resultIn(port, method, await ask(port, method, params), version);
}

function resultIn(port: HandshakePort, method: string, outcome: RequestOutcome, version: ProtocolVersion): unknown {
  if (outcome.kind === 'result') return outcome.result;
  const refusal = httpRefusal(outcome);
  if (refusal !== undefined) throw refusal;
  if (outcome.kind === 'lost') throw outcome.unusable ? new ConnectionError(outcome.unusable) : port.endReason();
  if (outcome.kind === 'error') throw refused(method, outcome.error, version);
  throw unanswered(method, outcome.kind, port.answerMs ?? INITIALIZE_MS);
}

/** Characters of the name and version that identify a remembered server. */
const SERVER_KEY_CHARS = 200;

/** Returns the server's name and version as one text, at most {@link SERVER_KEY_CHARS}. '' if it sent neither. */
export function announcedServer({ serverInfo }: Negotiated): string {
  const words = ['name', 'version'].map((key) => (serverInfo ? own(serverInfo, key) : undefined));
  const key = words.filter((word) => typeof word === 'string').join(' ');
  return key.slice(0, SERVER_KEY_CHARS);
}

function refused(method: string, error: RpcError, version: ProtocolVersion): ConnectionError {
  const other = offeredModern(error);
  const choice =
    other === undefined || other === version
      ? 'Try auto or another protocol version'
      : `Choose ${other} as the protocol`;
  return new ConnectionError({
    code: 'handshake-refused',
    message: `The server refused ${method} for ${version} with ${errorName(error.code)} (${JSON.stringify(error.message)}).`,
    advice: `${choice}, or connect without a handshake (\`--protocol none\`).`,
  });
}

function unanswered(method: string, kind: 'timeout' | 'cancelled', waitedMs: number): ConnectionError {
  return new ConnectionError({
    code: `handshake-${kind}`,
    message:
      kind === 'timeout'
        ? `The server did not answer ${method} within ${countOf(waitedMs / 1000, 'second')}.`
        : `${method} was cancelled before the server answered it.`,
    advice: 'Check that this is an MCP server, and read its log.',
  });
}

function unknownVersion(version: string): ConnectionError {
  const modern = eraOf(version) === 'modern';
  const others = modern
    ? `Choose ${NEWEST_MODERN} as the protocol, or make the server answer a version up to ${NEWEST_LEGACY}.`
    : `Make the server answer a released version, such as ${NEWEST_LEGACY}.`;
  const newer = newerVersion([version]);
  return new ConnectionError({
    code: 'version-unknown',
    message: `The server answered initialize with protocol version ${version}, which mcp-inspect does not accept as an answer.`,
    advice: newer === undefined ? others : `${updateAdvice(newer)} ${others}`,
  });
}

/** Returns the failure to report if a server offers only newer versions than we know, and refuses `initialize` too. */
function tooNew(offered: unknown): Failure | undefined {
  const newer = newerVersion(offered);
  return newer === undefined
    ? undefined
    : {
        code: 'version-unknown',
        message: `The server speaks protocol version ${newer}, and refused older ones.`,
        advice: updateAdvice(newer),
      };
}

/** The next step of auto mode, with the reason in one sentence. */
type ProbeVerdict =
  /** `discovered`: the DiscoverResult, if there is one. `respawn`: the process may have opened a legacy session. */
  | {
      readonly era: 'modern';
      readonly version: ProtocolVersion;
      readonly reason: string;
      readonly discovered: unknown;
      readonly respawn?: true;
    }
  /**
   * `respawn`: the probed process is gone, so `initialize` needs a new one. `instead`: the failure to report if
   * `initialize` fails as well.
   */
  | { readonly era: 'legacy'; readonly reason: string; readonly respawn: boolean; readonly instead?: Failure };

/**
 * Reads the answer to the probe. Two answers mean modern: a DiscoverResult with a version that we speak, and a version
 * error that lists one. Everything else means legacy, because legacy servers refuse the probe in many ways.
 */
export function classifyProbe(outcome: RequestOutcome): ProbeVerdict {
  if (outcome.kind === 'result') return classifyResult(outcome.result);
  if (outcome.kind === 'error') return classifyError(outcome.error);
  return { era: 'legacy', ...NO_ANSWER[outcome.kind] };
}

const NO_ANSWER = {
  timeout: { reason: 'The server did not answer server/discover.', respawn: false },
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
    ? 'The server answered server/discover, but lists no modern version that mcp-inspect knows.'
    : 'The server answered server/discover without a list of supported versions.';
  return legacy(reason, tooNew(offered));
}

function classifyError(error: { readonly code: number; readonly data?: unknown }): ProbeVerdict {
  const version = offeredModern(error);
  if (version !== undefined) {
    const reason = `The server refused server/discover with ${error.code}, but offers ${version}.`;
    return { era: 'modern', version, reason, discovered: undefined };
  }
  const detail =
    error.code === RPC_CODE.unsupportedVersion ? ' and offers no modern version that mcp-inspect knows' : '';
  const offered = detail && isObject(error.data) ? own(error.data, 'supported') : undefined;
  return legacy(`The server refused server/discover with ${error.code}${detail}.`, tooNew(offered));
}

/** JSON-RPC codes that only modern servers use. */
const MODERN_CODES: readonly number[] = [RPC_CODE.headerMismatch, RPC_CODE.missingCapability];

/**
 * Returns true for statuses that say nothing about the era, because the server needs something else first, or is
 * broken.
 */
function isInconclusive(status: number): boolean {
  return status === 401 || status === 403 || status === 429 || isServerError(status);
}

/** Some working servers fail like this on an unknown method, so `initialize` is tried once. */
function isServerError(status: number): boolean {
  return status >= 500;
}

type HttpVerdict = ProbeVerdict | { readonly era: 'unknown'; readonly failure: Failure };

/**
 * Reads the answer to the probe over HTTP, where servers that don't know the method refuse the request itself in many
 * ways. A refusal that `initialize` would meet too says nothing about the era, so it is a failure.
 */
export function classifyHttpProbe(outcome: RequestOutcome, waitedMs = PROBE_MS): HttpVerdict {
  if (outcome.kind === 'timeout') return { era: 'unknown', failure: silent(waitedMs) };
  if (outcome.kind !== 'error' && outcome.kind !== 'lost') return classifyProbe(outcome);
  const { http } = outcome;
  const status = http?.status;
  if (http?.code === 'cors-modern') return legacy(`${http.message} Only modern requests have these headers.`);
  if (http !== undefined && status !== undefined && isServerError(status)) {
    const reason = `The server answered server/discover with HTTP ${status}, so initialize is tried once.`;
    return legacy(reason, bothFailed(http));
  }
  if (http !== undefined && (status === undefined || isInconclusive(status))) return { era: 'unknown', failure: http };
  if (outcome.kind === 'error') {
    const { code } = outcome.error;
    const known =
      (status === 400 && MODERN_CODES.includes(code)) || (status === 404 && code === RPC_CODE.methodNotFound);
    if (offeredModern(outcome.error) === undefined && known) return modern(NEWEST_MODERN, status, code);
    return classifyProbe(outcome);
  }
  if (http === undefined) return classifyProbe(outcome);
  if (http.code === 'no-answer') return legacy('The server accepted server/discover but did not answer it.');
  if (status !== undefined && status < 300) return { era: 'unknown', failure: http };
  return legacy(`The server refused server/discover with HTTP ${status}.`);
}

function modern(version: ProtocolVersion, status: number | undefined, code: number): ProbeVerdict {
  const reason = `The server refused server/discover with HTTP ${status} and ${code}, as only modern servers do.`;
  return { era: 'modern', version, reason, discovered: undefined };
}

function legacy(reason: string, instead?: Failure): ProbeVerdict {
  return { era: 'legacy', reason, respawn: false, ...(instead && { instead }) };
}

function bothFailed({ code, message, advice }: Failure): Failure {
  return {
    code,
    message,
    advice: `${advice} This was the answer to server/discover; initialize failed as well. To send only one of them, use \`--protocol VERSION\` or *Protocol* in the form.`,
  };
}

function silent(waitedMs: number): Failure {
  return {
    code: 'handshake-timeout',
    message: `The server did not answer server/discover within ${countOf(waitedMs / 1000, 'second')}.`,
    advice: 'Choose a protocol version to skip server/discover, or check the server’s own log.',
  };
}

/** True if the server itself refused a request. False if it got no answer, or something else is needed first. */
function isRefusal(outcome: RequestOutcome): boolean {
  if (outcome.kind === 'error') return true;
  const status = outcome.kind === 'lost' ? outcome.http?.status : undefined;
  return status !== undefined && status >= 400 && !isInconclusive(status);
}

/** True if an HTTP+SSE server could have answered `initialize` like this at the URL of its stream. */
export function mayBeSse(outcome: RequestOutcome): boolean {
  if (outcome.kind !== 'error' && outcome.kind !== 'lost') return false;
  return [400, 404, 405].includes(outcome.http?.status ?? 0);
}

/** Returns the failure to report when HTTP, rather than a JSON-RPC error, refused `initialize` or `server/discover`. */
export function httpRefusal(outcome: RequestOutcome): ConnectionError | undefined {
  const http: HttpFailure | undefined = outcome.kind === 'error' || outcome.kind === 'lost' ? outcome.http : undefined;
  if (http === undefined) return undefined;
  const saysMore = outcome.kind === 'error' && http.status !== undefined && !isInconclusive(http.status);
  if (saysMore) return undefined;
  return http.status === undefined ? new ConnectionError(http) : new RefusedError(http.status, http);
}

/** Returns the fields of a connection's summary that come from the handshake. */
export function negotiatedSummary({
  era,
  version,
  serverInfo,
}: Negotiated): Pick<ConnectionSummary, 'era' | 'version' | 'serverName'> {
  const serverName = serverInfo && serverLabel(serverInfo);
  return { era, version, ...(serverName && { serverName }) };
}
