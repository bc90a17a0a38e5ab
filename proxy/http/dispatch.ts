import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type GuardDecision, type GuardPolicy, guard, type RequestFacts } from './guard';
import { RefusalNotes, refusalReply } from './refusals';
import { bareReply, isRefused, sendRawReply, sendReply } from './reply';
import { type HttpRoute, type Route, readBody, readFile } from './routes';
import type { Sockets } from './sockets';

/** Longest body of a POST in bytes, unless its route says otherwise. */
export const LAUNCH_BODY_BYTES = 1024;
/** Largest recording in bytes that can be imported. */
const IMPORTED_BYTES = 500_000_000;
/** Milliseconds that a socket with a file may be silent. Converting a large archive takes minutes on a busy machine. */
const FILE_SILENCE_MS = 10 * 60_000;

/**
 * Sends every request to `server` through the guard, and then to its route or to `sockets`. `requestMs`: time until a
 * whole request has arrived, unless it is a file.
 */
export function dispatchRequests(
  server: Server,
  policy: GuardPolicy<Route>,
  sockets: Sockets,
  terminal: (note: string) => void,
  requestMs: number,
): void {
  const notes = new RefusalNotes(terminal, policy.publicUrl);

  function decide(request: IncomingMessage, upgrade: boolean): GuardDecision<Route> {
    const facts = requestFacts(request, upgrade);
    const decision = guard(facts, policy);
    if (!decision.allow) notes.print(decision.reason, facts);
    return decision;
  }

  /** `awaited`: the client sends the body only after a 100, which it gets only if the guard allows the request. */
  function onRequest(request: IncomingMessage, response: ServerResponse, awaited = false): void {
    const decision = decide(request, false);
    if (awaited && decision.allow && !decision.route.upgrade) response.writeContinue();
    const isFile = decision.allow && !decision.route.upgrade && decision.route.takesFile === true;
    if (isFile) request.socket.setTimeout(FILE_SILENCE_MS);
    else cutIfLate(request, response, requestMs);
    if (!decision.allow) sendReply(response, refusalReply(decision, requestFacts(request, false)), true);
    else if (decision.route.upgrade) sendReply(response, bareReply(405), true);
    else void answer(request, response, decision.route, decision);
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    route: HttpRoute,
    { path, base }: { readonly path: string; readonly base: string },
  ) {
    try {
      const text = route.method === 'POST' && !route.takesFile;
      const body = text ? await readBody(request, route.bodyBytes ?? LAUNCH_BODY_BYTES) : '';
      if (body === undefined) {
        sendReply(response, bareReply(413), true);
        return;
      }
      const file = route.takesFile && { file: readFile(request, IMPORTED_BYTES), gone: goneSignal(response) };
      const reply = await route.handle({ path, base, body, query: queryOf(request), ...file });
      // The rest of a refused file may still be arriving, so the socket is closed.
      sendReply(response, reply, route.takesFile === true && reply.status !== 200);
    } catch {
      if (!request.destroyed) terminal(`Answering ${route.path} failed inside the proxy.`);
      sendReply(response, bareReply(500), true);
    }
  }

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const decision = decide(request, true);
    if (!decision.allow) sendRawReply(socket, bareReply(decision.status));
    else if (!decision.route.upgrade) sendRawReply(socket, bareReply(405));
    else sockets.accept(request, socket, head);
  }

  server.on('request', (request, response) => onRequest(request, response));
  server.on('checkContinue', (request, response) => onRequest(request, response, true));
  server.on('checkExpectation', (request, response) => onRequest(request, response));
  server.on('upgrade', onUpgrade);
  server.on('connect', onUpgrade);
  server.on('clientError', refuseUnparsed);
}

/** Closes the socket of a request that does not arrive in time. Node's own limit would hold for files too. */
function cutIfLate(request: IncomingMessage, response: ServerResponse, ms: number): void {
  const cut = (): void => {
    if (!request.complete) request.socket.destroy();
  };
  // After a stall of this process, what has arrived meanwhile is read first.
  const timer = setTimeout(() => setImmediate(cut), ms);
  response.once('close', () => clearTimeout(timer));
}

function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

/** Returns the facts of a request that the guard decides by. */
export function requestFacts(request: IncomingMessage, upgrade: boolean): RequestFacts {
  return { method: request.method ?? '', target: request.url ?? '', rawHeaders: request.rawHeaders, upgrade };
}

function queryOf({ method, url = '' }: IncomingMessage): string {
  const at = url.indexOf('?');
  return method === 'HEAD' || at < 0 ? '' : url.slice(at + 1);
}

/** Statuses by the error code of Node's HTTP parser; 400 for all others. */
const UNPARSED: ReadonlyMap<string, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/** Answers requests that Node's parser refused or timed out. A socket that never sent anything is just closed. */
export function refuseUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  // Its further bytes can't be parsed either.
  if (isRefused(socket)) return;
  const silent = (socket as Socket).bytesRead === 0;
  if (silent || !socket.writable) socket.destroy();
  else sendRawReply(socket, bareReply(UNPARSED.get(error.code ?? '') ?? 400));
}
