import { isObject, isText, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { toLifecycleEvent } from '@/lib/store/state/connection-facts';
import { readChallenge, wantsAuthorization } from '@/lib/transports/challenge';
import { headerOf } from '@/lib/transports/http-link';
import { maskedUrl } from '@/lib/transports/masking';
import { type HttpFrame, readHttpFrame, type ShownHeaders } from '@/lib/wire/http-frame';
import { type IssuedToken, isIssuedToken } from '@/lib/wire/issued-token';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import type { StepKind } from './step-kinds';

/** Steps that are kept, the newest. A server can ask for tokens without end. */
export const MOST_STEPS = 500;

/** `refused`: the other side refused. `failed`: there was no answer, or mcp-inspect did not accept it. */
export type StepOutcome = 'waiting' | 'ok' | 'refused' | 'failed';

interface SentRequest {
  readonly seq: number;
  readonly method: string;
  readonly url: string;
  readonly headers: ShownHeaders;
  /** Without secrets. */
  readonly body?: string;
}

interface SeenResponse {
  readonly seq: number;
  readonly status: number;
  readonly headers: ShownHeaders;
  /** Without secrets. */
  readonly body?: string;
}

/** A step of authorization. */
export interface SeenStep {
  readonly kind: StepKind;
  /** seq of its first frame. */
  readonly seq: number;
  readonly outcome: StepOutcome;
  /** The user ran it alone. */
  readonly alone: boolean;
  readonly request?: SentRequest;
  readonly response?: SeenResponse;
  /** Values of a step that is not a request of ours: the address of a sign-in page, the parameters of a callback. */
  readonly values?: readonly (readonly [name: string, value: string])[];
  /** The reason of a refusal or failure, in the words of the other side or of mcp-inspect. */
  readonly said?: string;
  /** The token of this request was changed on purpose. */
  readonly corrupted?: true;
}

/** The newest token. */
export interface SeenToken {
  /** seq of the event. */
  readonly seq: number;
  readonly issuer: string;
  readonly scopes: readonly string[];
  readonly by: string;
  /** Absent in logs of older versions. */
  readonly issued?: IssuedToken;
  readonly kept: boolean;
  /** seq of the answer by which it was revoked. */
  readonly revokedSeq?: number;
}

/** Everything that a log says about authorization. */
export interface SeenAuthorization {
  /** Oldest first, at most `MOST_STEPS`. */
  readonly steps: readonly SeenStep[];
  /** Earlier steps that are left out. */
  readonly omitted: number;
  readonly token?: SeenToken;
}

type Writable = { -readonly [K in keyof SeenStep]: SeenStep[K] };

const NUMBER = /^\{"kind":"\w+","exchange":(\d{1,9})[,}]/;

/** Derives the steps of authorization from a log. Reads each frame once. */
class AuthStepsReader {
  readonly #log: Log;
  #seen = 0;
  #steps: Writable[] = [];
  #omitted = 0;
  /** The step of each exchange of OAuth, and whether its answer has come. */
  readonly #exchanges = new Map<number, Writable>();
  #token: SeenToken | undefined;
  /** URLs that challenges named for metadata, masked as requests in the log are. */
  readonly #metadataUrls = new Set<string>();
  /** A step runs alone. */
  #alone = false;
  /** Requests after this frame show the use of a token. 0: none is expected. */
  #usedAfter = 0;
  #usedAlone = false;
  #corruptedAfter = 0;
  #result: SeenAuthorization = { steps: [], omitted: 0 };

  constructor(log: Log) {
    this.#log = log;
  }

  /** Reads new frames. Returns the same object if they changed nothing. */
  read(): SeenAuthorization {
    const { columns, size } = this.#log;
    let changed = false;
    for (; this.#seen < size; this.#seen++) {
      const channel = columns.channel(this.#seen);
      if (channel === 'lifecycle') changed = this.#readEvent(this.#seen + 1) || changed;
      else if (channel === 'http') changed = this.#readHttp(this.#seen + 1) || changed;
    }
    if (changed) {
      this.#result = {
        steps: this.#steps.map((step) => ({ ...step })),
        omitted: this.#omitted,
        ...(this.#token && { token: this.#token }),
      };
    }
    return this.#result;
  }

  #add(step: Writable): Writable {
    this.#steps.push(step);
    if (this.#steps.length > MOST_STEPS) {
      this.#steps.shift();
      this.#omitted++;
    }
    return step;
  }

  #readEvent(seq: number): boolean {
    const event = toLifecycleEvent(this.#log.text(seq - 1));
    if (event?.event === 'authorization') this.#addAuthorization(seq, event);
    else if (event?.event === 'auth-step') this.#addAloneStep(seq, event);
    else if (event?.event === 'auth-callback') {
      this.#settleSignIn('ok');
      const error = event.parameters.find(([name]) => name === 'error');
      const description = event.parameters.find(([name]) => name === 'error_description');
      this.#add({
        kind: 'callback',
        seq,
        outcome: error ? 'refused' : 'ok',
        alone: this.#alone,
        values: event.parameters,
        ...(error && { said: description?.[1] ?? error[1] }),
      });
    } else return false;
    return true;
  }

  #addAuthorization(seq: number, event: Extract<LifecycleEvent, { event: 'authorization' }>): void {
    const alone = this.#alone;
    if (event.phase === 'needed') {
      const values = [['address', event.url], ...parametersOf(event.url)] as const;
      this.#add({ kind: 'sign-in', seq, outcome: 'waiting', alone, values });
    } else if (event.phase === 'granted') {
      const { issuer, scopes, by } = event;
      const issued = isIssuedToken(event.issued) ? event.issued : undefined;
      this.#token = { seq, issuer, scopes, by, ...(issued && { issued }), kept: issued?.kept === true };
      this.#usedAfter = seq;
      this.#usedAlone = alone;
      if (by === 'earlier') this.#add({ kind: 'earlier', seq, outcome: 'ok', alone });
    } else if (event.phase === 'refused') this.#addStop(seq, event);
    else {
      this.#token = undefined;
      this.#add({ kind: 'signed-out', seq, outcome: 'ok', alone });
    }
  }

  #addAloneStep(seq: number, event: Extract<LifecycleEvent, { event: 'auth-step' }>): void {
    this.#alone = event.phase === 'started';
    if (event.phase === 'failed') this.#addStop(seq, event, true);
    if (event.phase !== 'done') return;
    if (event.step === 'corrupt') {
      this.#corruptedAfter = seq;
      this.#add({ kind: 'corrupt', seq, outcome: 'ok', alone: true, said: 'The next request has a changed token.' });
    } else if (event.step === 'use') {
      this.#usedAfter = seq;
      this.#usedAlone = true;
    } else if (this.#token && (event.step === 'keep' || event.step === 'revoke')) {
      // Tokens that were revoked are not kept for later runs.
      this.#token = { ...this.#token, kept: event.step === 'keep' };
    }
  }

  #addStop(
    seq: number,
    { message, advice }: { readonly message: string; readonly advice: string },
    alone = false,
  ): void {
    this.#settleSignIn('failed');
    this.#add({ kind: 'stopped', seq, outcome: 'failed', alone, said: `${message} ${advice}` });
  }

  #settleSignIn(outcome: StepOutcome): void {
    const waiting = this.#steps.findLast(({ kind, outcome: now }) => kind === 'sign-in' && now === 'waiting');
    if (waiting) waiting.outcome = outcome;
  }

  #readHttp(seq: number): boolean {
    const text = this.#log.text(seq - 1);
    if (text.startsWith('{"kind":"sse"')) return false;
    const exchange = Number(NUMBER.exec(text)?.[1]);
    const step = this.#exchanges.get(exchange);
    // Most frames are of ordinary requests, so only those that can matter are parsed.
    const matters = step !== undefined || text.includes('"about":"authorization"') || /"status":40[13]\b/.test(text);
    const mayUse = this.#usedAfter > 0 && text.startsWith('{"kind":"response"');
    const frame = matters || mayUse ? readHttpFrame(text) : undefined;
    if (!frame) return false;
    if (frame.kind === 'request' && frame.about === 'authorization') return this.#addRequest(seq, frame);
    if (step) return this.#continue(step, seq, frame);
    return frame.kind === 'response' && this.#addServerResponse(seq, frame);
  }

  #addRequest(seq: number, frame: Extract<HttpFrame, { kind: 'request' }>): boolean {
    const { exchange, method, url, headers } = frame;
    const request = { seq, method, url, headers };
    const known = this.#exchanges.get(exchange);
    // After a redirect, the step is about the last request.
    if (known) known.request = { ...request, ...(known.request?.body !== undefined && { body: known.request.body }) };
    else {
      const kind = method === 'GET' ? this.#kindOfUrl(url) : 'registration';
      this.#exchanges.set(exchange, this.#add({ kind, seq, outcome: 'waiting', alone: this.#alone, request }));
    }
    return true;
  }

  #kindOfUrl(url: string): StepKind {
    if (this.#metadataUrls.has(maskedUrl(url)) || url.includes('/.well-known/oauth-protected-resource'))
      return 'resource-metadata';
    return 'server-metadata';
  }

  /** Adds a later frame of an exchange of OAuth. */
  #continue(step: Writable, seq: number, frame: HttpFrame): boolean {
    if (frame.kind === 'response') {
      const { status, headers } = frame;
      step.response = { seq, status, headers };
      step.outcome = status >= 200 && status < 300 ? 'ok' : 'refused';
      if (step.kind === 'revocation' && step.outcome === 'ok' && this.#token) {
        this.#token = { ...this.#token, revokedSeq: seq };
      }
    } else if (frame.kind === 'body' && step.response) {
      step.response = { ...step.response, body: frame.text ?? '' };
      const said = step.outcome === 'refused' ? saidIn(frame.text ?? '') : remarkOn(step, frame.text ?? '');
      if (said !== undefined) step.said = said;
    } else if (frame.kind === 'body' && step.request) {
      step.request = { ...step.request, body: frame.text ?? '' };
      step.kind = kindOfBody(frame.text ?? '');
    } else if (frame.kind === 'end' && frame.by !== 'server') {
      step.outcome = 'failed';
      if (frame.message !== undefined) step.said = frame.message;
    } else return false;
    return true;
  }

  /** Adds the challenge of the MCP server, or the first use of a token. */
  #addServerResponse(seq: number, frame: Extract<HttpFrame, { kind: 'response' }>): boolean {
    const { exchange, status, headers } = frame;
    const request = this.#requestBefore(exchange, seq);
    if (!request) return false;
    const response = { seq, status, headers };
    const corrupted = this.#corruptedAfter > 0 && request.seq > this.#corruptedAfter && hasToken(request);
    if (corrupted) this.#corruptedAfter = 0;
    const mark = corrupted ? ({ corrupted: true } as const) : {};
    if (wantsAuthorization(status, headers)) {
      const { error, description, scope, resourceMetadata } = readChallenge(headers);
      if (resourceMetadata !== undefined) this.#metadataUrls.add(maskedUrl(resourceMetadata));
      const said = [error, description, scope && `scope ${scope}`].filter(Boolean).join(': ');
      this.#add({
        kind: 'challenge',
        seq: request.seq,
        outcome: 'refused',
        alone: false,
        request,
        response,
        ...mark,
        ...(said !== '' && { said }),
      });
      return true;
    }
    if (this.#usedAfter === 0 || request.seq < this.#usedAfter || !hasToken(request)) return corrupted;
    this.#usedAfter = 0;
    const outcome = status < 400 ? 'ok' : 'refused';
    this.#add({ kind: 'use', seq: request.seq, outcome, alone: this.#usedAlone, request, response, ...mark });
    return true;
  }

  #requestBefore(exchange: number, seq: number): SentRequest | undefined {
    const found = this.#log.httpExchange(exchange)?.requests.findLast((one) => one < seq);
    const frame = found === undefined ? undefined : readHttpFrame(this.#log.text(found - 1));
    if (found === undefined || frame?.kind !== 'request') return undefined;
    return { seq: found, method: frame.method, url: frame.url, headers: frame.headers };
  }
}

const hasToken = ({ headers }: SentRequest): boolean => headerOf(headers, 'authorization') !== undefined;

/** Kinds of token requests, by grant type. */
const KIND_OF_GRANT: ReadonlyMap<string, StepKind> = new Map([
  ['authorization_code', 'code'],
  ['refresh_token', 'refresh'],
  ['client_credentials', 'client-credentials'],
  ['urn:ietf:params:oauth:grant-type:jwt-bearer', 'jwt-bearer'],
  ['urn:ietf:params:oauth:grant-type:token-exchange', 'token-exchange'],
]);

function kindOfBody(text: string): StepKind {
  if (text.startsWith('{')) return 'registration';
  const form = new URLSearchParams(text);
  const grant = form.get('grant_type');
  if (grant === null) return form.has('token') ? 'revocation' : 'registration';
  return KIND_OF_GRANT.get(grant) ?? 'jwt-bearer';
}

function parametersOf(url: string): readonly (readonly [string, string])[] {
  return URL.canParse(url) ? [...new URL(url).searchParams].slice(0, 40) : [];
}

/** Returns the error of an OAuth answer: its description, or else its code. */
function saidIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    const said = [own(value, 'error'), own(value, 'error_description')].filter(isText);
    return said.length === 0 ? undefined : said.join(': ');
  } catch {
    return undefined;
  }
}

const RESOURCE_PATH = '/.well-known/oauth-protected-resource/';

/** Names metadata of another resource than the one whose well-known URL it has. Some clients refuse it. */
function remarkOn({ kind, request }: SeenStep, text: string): string | undefined {
  const [origin, path] = request?.url.split(RESOURCE_PATH) ?? [];
  if (kind !== 'resource-metadata' || path === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const resource = isObject(value) ? own(value, 'resource') : undefined;
    const expected = `${origin}/${path}`;
    if (!isText(resource) || resource === expected) return undefined;
    return `\`resource\` is ${JSON.stringify(resource).slice(0, 200)}, expected ${JSON.stringify(expected)} (RFC 9728, 3.3). Some clients refuse it.`;
  } catch {
    return undefined;
  }
}

const READERS = new WeakMap<Log, AuthStepsReader>();

/** Returns everything that a log says about authorization. Returns the same object until that changes. */
export function authorizationIn(log: Log): SeenAuthorization {
  const reader = READERS.get(log) ?? new AuthStepsReader(log);
  READERS.set(log, reader);
  return reader.read();
}
