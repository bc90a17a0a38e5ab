import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Decision, type GuardPolicy, guard, type RequestFacts } from './guard';
import { RefusalNotes, refusalReply } from './refusals';
import { bareReply, sendRawReply, sendReply } from './reply';
import { type HttpRoute, type Route, readBody, readFile } from './routes';
import type { Sockets } from './sockets';

/** Body of the one POST there is. */
export const LAUNCH_BODY_BYTES = 1024;
/** A recording that is imported, which has to arrive within `bodyMs`; a name and a note on their way; what is looked through for problems. */
const IMPORTED_BYTES = 500_000_000;

/** Everything that arrives at `server` goes to the guard first, and only then to its route or to `sockets`. */
export function dispatchRequests(
  server: Server,
  policy: GuardPolicy<Route>,
  sockets: Sockets,
  terminal: (note: string) => void,
): void {
  const notes = new RefusalNotes(terminal, policy.publicUrl);

  function decide(request: IncomingMessage, upgrade: boolean): Decision<Route> {
    const facts = requestFacts(request, upgrade);
    const decision = guard(facts, policy);
    if (!decision.allow) notes.tell(decision.reason, facts);
    return decision;
  }

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    const decision = decide(request, false);
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
      const file = route.takesFile && readFile(request, IMPORTED_BYTES);
      const reply = await route.handle({ path, base, body, query: queryOf(request), ...(file && { file }) });
      // Of a file that is refused, the rest may be on its way.
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

  server.on('request', onRequest);
  server.on('checkExpectation', onRequest);
  server.on('upgrade', onUpgrade);
  server.on('connect', onUpgrade);
  server.on('clientError', refuseUnparsed);
}

/** What the guard wants to know of a request. */
export function requestFacts(request: IncomingMessage, upgrade: boolean): RequestFacts {
  return { method: request.method ?? '', target: request.url ?? '', rawHeaders: request.rawHeaders, upgrade };
}

function queryOf({ method, url = '' }: IncomingMessage): string {
  const at = url.indexOf('?');
  return method === 'HEAD' || at < 0 ? '' : url.slice(at + 1);
}

const UNPARSED: ReadonlyMap<string, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/** Answers what Node's parser refused, or gave up waiting for. A socket that never said anything is just closed. */
export function refuseUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  const silent = (socket as Socket).bytesRead === 0;
  if (silent || !socket.writable) socket.destroy();
  else sendRawReply(socket, bareReply(UNPARSED.get(error.code ?? '') ?? 400));
}
