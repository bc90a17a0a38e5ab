import { ConnectionError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import type { Era, LifecycleEvent, ProtocolChoice, ProtocolVersion } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { isObject, type JsonObject, own, type RpcError } from '@/lib/wire/message';
import { classifyHttpProbe, type HttpVerdict, httpRefusal, isRefusal, mayBeSse } from './http-fallback';
import { type ClientInfo, SERVER_INFO_KEY } from './modern-meta';
import type { Outcome } from './outcome';
import { classifyProbe, type ProbeVerdict } from './probe';
import { eraOf, isLegacyVersion, NEWEST_LEGACY, NEWEST_MODERN, offeredModern } from './versions';

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
  ask(method: string, params: JsonObject | undefined, timeoutMs: number): Promise<Outcome>;
  /** `server/discover` as `version` has it, under a string id of its own and never followed by a cancellation. */
  probe(version: ProtocolVersion, timeoutMs: number): Promise<Outcome>;
  /** Stops waiting for the answers to our requests of this method. The server hears nothing of it. */
  abandon(method: string): void;
  tell(method: string): number;
  /** Resolves when the server knows its client, or after `withinMs`. Rejects if the connection ends meanwhile. */
  introduced(withinMs: number): Promise<void>;
  /** From now on requests are made as this version wants them. */
  adopt(version: string): void;
  /** Why the server is gone. */
  goneBecause(): ConnectionError;
  /** Starts the server again, ending the process if it still runs. Rejects if there will be no new process. */
  respawn(): Promise<void>;
  canRespawn(): boolean;
  probing(): Probing;
  /** Goes over to HTTP+SSE; undefined if that was not left open. Rejects if the server doesn't speak it either. */
  fallBack(): Promise<void> | undefined;
  lifecycle(event: LifecycleEvent): void;
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
  port.lifecycle({ event: 'open', era: negotiated.era, version: negotiated.version });
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
  if (remembered === undefined) return openByProbe(port, LIMITS.probeQuietMs);
  port.lifecycle({ event: 'era-remembered', era: remembered.era, at: remembered.at });
  // A modern server that starts slowly is not sent an `initialize` that it has no use for.
  if (remembered.era === 'modern') return openByProbe(port, LIMITS.probeMs);
  const introduction = introduce(port, NEWEST_LEGACY);
  const outcome = await introduction.outcome;
  if (!isRefusal(outcome)) return openLegacy(port, NEWEST_LEGACY, introduction);
  port.lifecycle({ event: 'era-forgotten', reason: 'The server refused initialize.' });
  return openByProbe(port, LIMITS.probeQuietMs);
}

/** `quietMs`: how long a process may be silent before `initialize` is sent too. */
async function openByProbe(port: HandshakePort, quietMs: number): Promise<Negotiated> {
  const overHttp = port.probing() === 'http';
  const probe = port.probe(NEWEST_MODERN, overHttp ? LIMITS.probeMs : Number.POSITIVE_INFINITY);
  if (overHttp) return openAfter(port, classifyHttpProbe(await probe));
  const outcome = await within(port.clock, quietMs, probe);
  if (outcome !== undefined) return openAfter(port, classifyProbe(outcome));
  port.lifecycle({ event: 'probe-silent', afterMs: quietMs });
  const introduction = introduce(port, NEWEST_LEGACY);
  const verdict = await Promise.race([probe.then(classifyProbe), byInitialize(port.clock, introduction.outcome)]);
  if (verdict.era === 'legacy') {
    port.abandon('server/discover');
    return openAfter(port, verdict, introduction);
  }
  // A server that answers both has opened a legacy session in this process (the official SDK does). Others may exit on
  // initialize.
  const initialized = await within(port.clock, LIMITS.probeQuietMs, introduction.outcome);
  port.abandon('initialize');
  const spoilt = initialized && SPOILT_BY[initialized.kind];
  return openAfter(port, spoilt ? { ...verdict, reason: `${verdict.reason} ${spoilt}`, respawn: true } : verdict);
}

/** `sent`: an `initialize` that is out already. */
async function openAfter(port: HandshakePort, verdict: HttpVerdict, sent?: Introduction): Promise<Negotiated> {
  if (verdict.era === 'unknown') throw new ConnectionError(verdict.failure);
  const { respawn = false } = verdict;
  if (respawn && verdict.era === 'legacy' && !port.canRespawn()) throw port.goneBecause();
  port.lifecycle({ event: 'probe', era: verdict.era, reason: verdict.reason, respawn });
  if (respawn) await port.respawn();
  if (verdict.era === 'modern') {
    port.adopt(verdict.version);
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
  if (kind === 'error') await within(clock, LIMITS.probeQuietMs, never);
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
  const outcome = await port.ask('server/discover', undefined, LIMITS.initializeMs);
  if (outcome.kind === 'lost') throw port.goneBecause();
  return fromDiscovery(version, outcome.kind === 'result' ? outcome.result : undefined);
}

/**
 * The modern era has no handshake. One `server/discover` tells who the server is and what it can do; servers must
 * implement it, so a refusal means that this is no server of that era.
 */
async function openModern(port: HandshakePort, version: ProtocolVersion): Promise<Negotiated> {
  port.adopt(version);
  const outcome = await port.ask('server/discover', undefined, LIMITS.initializeMs);
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
  return { params, sentAt: port.clock.now(), outcome: port.ask('initialize', params, LIMITS.initializeMs) };
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
  port.adopt(agreed);
  port.tell('notifications/initialized');
  await port.introduced(introductionMs(tookMs));
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
  return resultIn(port, method, await port.ask(method, params, LIMITS.initializeMs), version);
}

function resultIn(port: HandshakePort, method: string, outcome: Outcome, version: ProtocolVersion): unknown {
  if (outcome.kind === 'result') return outcome.result;
  const refusal = httpRefusal(outcome);
  if (refusal !== undefined) throw refusal;
  if (outcome.kind === 'lost') throw port.goneBecause();
  throw outcome.kind === 'error' ? refused(method, outcome.error, version) : unanswered(method, outcome.kind);
}

/**
 * Returns the server's name and version as one text, at most `LIMITS.eraServerChars`. '' if it sent neither.
 */
export function serverKey({ serverInfo }: Negotiated): string {
  const words = ['name', 'version'].map((key) => (serverInfo ? own(serverInfo, key) : undefined));
  const said = words.filter((word) => typeof word === 'string').join(' ');
  return said.slice(0, LIMITS.eraServerChars);
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
        ? `The server did not answer ${method} within ${LIMITS.initializeMs / 1000} seconds.`
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
