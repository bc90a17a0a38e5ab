import { isObject } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { type AttemptFacts, attemptFactsOf, type ExchangeFacts, headerIn, mediaTypeOf } from './attempt-facts';
import { EVIDENCE, type Evidence } from './evidence';
import { type Action, type Finding, LEAVE_OUT_TRANSPORT, type Remedy, STEPS, type StepId } from './finding';
import { REMEDIES } from './remedies/registry';

/**
 * `unused`: this connection has no such step. `unknown`: the log does not show it, for example for requests of the
 * page.
 */
export type StepState = 'ok' | 'failed' | 'not reached' | 'unused' | 'unknown';

/** Returns the words for a step without evidence. */
export function stateLabel({ id, state }: Pick<Step, 'id' | 'state'>): string {
  if (state === 'unused') return id === 'tcp' ? 'by the HTTP proxy' : 'not used with http';
  return state === 'unknown' ? 'not in the log' : state;
}

export interface Step {
  readonly id: StepId;
  readonly title: string;
  readonly state: StepState;
  /** Milliseconds. */
  readonly ms?: number;
  readonly evidence: readonly Evidence[];
}

/** Explains why a connection to a URL failed: how far it got, the cause, and what to do. */
export interface Diagnosis {
  /** Code of the remedy. Stable. */
  readonly code: string;
  /** The cause, in one or two sentences. */
  readonly what: string;
  /** The fix, in one to three sentences. */
  readonly advice: string;
  /** The frame that shows the cause best. */
  readonly seq: number;
  readonly actions: readonly Action[];
  readonly steps: readonly Step[];
}

/** Diagnoses a live or recorded log. Returns undefined unless it is that of a failed connection to a URL. Pure. */
export function diagnose(log: Log): Diagnosis | undefined {
  const facts = attemptFactsOf(log);
  if (!facts) return undefined;
  const { remedy, finding } = findRemedy(facts);
  const { what, advice, seq, actions = [] } = { ...finding, ...(remedy.elsewhere && lookElsewhere(facts, finding)) };
  return {
    code: remedy.code,
    what,
    advice,
    seq: seq ?? facts.socket?.seq ?? facts.failureSeq,
    actions,
    steps: stepsOf(facts, remedy.step),
  };
}

function findRemedy(facts: AttemptFacts): { readonly remedy: Remedy; readonly finding: Finding } {
  for (const remedy of REMEDIES) {
    const finding = remedy.find(facts);
    if (finding) return { remedy, finding };
  }
  throw new RangeError('The last remedy matches every failure.');
}

function lookElsewhere(facts: AttemptFacts, { actions = [] }: Finding): Partial<Finding> {
  return findElsewhere(facts) ?? (facts.url ? { actions: [...actions, { kind: 'look-further', where: 'paths' }] } : {});
}

function stepsOf(facts: AttemptFacts, failed: StepId): readonly Step[] {
  const isProxied = facts.socket?.httpProxy !== undefined;
  const steps = STEPS.filter(({ id }) => id !== 'proxy' || isProxied || failed === 'proxy');
  const at = steps.findIndex(({ id }) => id === failed);
  return steps.map(({ id, title }, index) => {
    const isInLog = facts.socket !== undefined || facts.status !== undefined;
    const isUnused = (id === 'tls' && facts.url?.protocol === 'http:') || (id === 'tcp' && isProxied);
    const isSkipped = id === 'dns' && !isProxied && facts.socket?.addresses.length === 0;
    const passed = isInLog && !isSkipped ? 'ok' : 'unknown';
    const state = index === at ? 'failed' : isUnused ? 'unused' : index > at ? 'not reached' : passed;
    if (state !== 'ok' && state !== 'failed') return { id, title, state, evidence: [] };
    const { ms, lines } = EVIDENCE[id](facts);
    return { id, title, state, ...(ms !== undefined && { ms }), evidence: lines };
  });
}

const OR = new Intl.ListFormat('en', { type: 'disjunction' });

/** A server that answered at another path. */
interface FoundServer {
  readonly url: string;
  readonly transport: 'http' | 'sse';
  /** False if it requires sign-in, and so may or may not be an MCP server. */
  readonly sure: boolean;
  readonly seq: number;
}

/** Returns what "Look further" adds to a finding; undefined if it did not run. */
function findElsewhere({
  further,
  looked,
  start,
  url,
}: AttemptFacts): Pick<Finding, 'advice' | 'actions' | 'seq'> | undefined {
  if (looked !== 'paths') return undefined;
  const found = further.flatMap(judge);
  const best = found.find(({ sure }) => sure) ?? found[0];
  if (!best) {
    const paths = OR.format(further.map(({ request }) => new URL(request.url).pathname));
    const advice = `No MCP server answered at ${paths} either.`;
    // The way to HTTP+SSE says nothing about a Streamable HTTP server at the same path.
    if (start.transport === 'sse' && url) {
      return {
        advice: `${advice} ${LEAVE_OUT_TRANSPORT}`,
        actions: [{ kind: 'use-url', url: url.href, transport: 'auto' }],
      };
    }
    return { advice: `${advice} Look up the server’s path, or start the server.` };
  }
  const { pathname } = new URL(best.url);
  const what = best.transport === 'sse' ? 'An HTTP+SSE server' : 'A Streamable HTTP server';
  return {
    advice: best.sure
      ? `${what} answers at ${pathname}. Use that URL.`
      : `Something at ${pathname} requires sign-in, as MCP servers often do. Try that URL.`,
    actions: [{ kind: 'use-url', url: best.url, transport: best.sure ? best.transport : 'auto' }],
    seq: best.seq,
  };
}

function judge(exchange: ExchangeFacts): FoundServer[] {
  const { request, response, answer, events } = exchange;
  if (!response || !URL.canParse(request.url)) return [];
  const { url } = request;
  const { seq, status } = response;
  if (request.method === 'POST') {
    const rpc =
      isObject(answer?.value) && (Object.hasOwn(answer.value, 'jsonrpc') || Object.hasOwn(answer.value, 'error'));
    const stream = status === 200 && mediaTypeOf(exchange) === 'text/event-stream';
    if (stream || (rpc && ![401, 403].includes(status))) return [{ url, transport: 'http', sure: true, seq }];
  }
  if (events.some(({ event }) => event === 'endpoint')) return [{ url, transport: 'sse', sure: true, seq }];
  const requiresSignIn = status === 401 && headerIn(response.headers, 'www-authenticate') !== undefined;
  const isUsualPath = /\/(mcp|sse)$/.test(new URL(url).pathname);
  return requiresSignIn && isUsualPath
    ? [{ url, transport: request.method === 'POST' ? 'http' : 'sse', sure: false, seq }]
    : [];
}

const MARKS: Readonly<Record<StepState, string>> = {
  ok: 'ok',
  failed: 'FAILED',
  'not reached': '-',
  unused: '-',
  unknown: '?',
};

/** Returns a diagnosis as plain text, for a terminal or a bug report. `url` is the server's, as shown. */
export function diagnosisText(diagnosis: Omit<Diagnosis, 'seq'>, url: string): string {
  const { steps, code, what, advice } = diagnosis;
  const lines = steps.flatMap(({ id, title, state, ms, evidence }) => {
    const isTried = state === 'ok' || state === 'failed';
    const note = !isTried ? stateLabel({ id, state }) : ms === undefined ? '' : `${ms} ms`;
    const head = `${MARKS[state].padEnd(7)} ${title.padEnd(14)} ${note}`.trimEnd();
    return [head, ...evidence.map(({ text, seq }) => `          ${text}${seq === undefined ? '' : `  (#${seq})`}`)];
  });
  return [`Connection doctor: ${url}`, '', ...lines, '', what, advice, `Code: ${code}`].join('\n');
}
