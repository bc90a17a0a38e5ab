import { headerMismatch } from '@/lib/replay/header-mismatch';
import { errorText } from '@/lib/replay/outlet';
import type { Replay, ReplayHost } from '@/lib/replay/replay';
import { ReplayConnection } from '@/lib/replay/replay-connection';
import { ParamHeaders } from '@/lib/transports/param-headers';
import { bareReply, sendReply } from '../http/reply';
import { ModernClients } from './modern-clients';
import { type Endpoint, headerOf, post } from './post';

/** As of 2026-07-28: POSTs that stand for themselves, whose headers have to say what they say. */
export function modernEndpoint(replay: Replay, host: Omit<ReplayHost, 'side'>): Endpoint {
  const side = { tell: () => {}, isHeard: false };
  const clients = new ModernClients(() => new ReplayConnection(replay, { ...host, side }));
  const tools = recordedTools(replay);
  return {
    async handle(request, response) {
      if (request.method !== 'POST') sendReply(response, bareReply(405));
      else {
        await post(request, response, replay, (message) => {
          const refused = headerMismatch(message, tools, (name) => headerOf(request, name));
          if (!refused) return { connection: clients.of(request.socket, message), callsOffByClosing: true };
          const body = errorText(JSON.stringify(message.ids[0] ?? null), refused.code, refused.message);
          sendReply(response, { status: 400, type: 'application/json', body });
          return undefined;
        });
      }
    },
    end: () => clients.end(),
  };
}

/** Some arguments of the recorded tools have to be repeated in headers. */
function recordedTools({ session }: Replay): ParamHeaders {
  const tools = new ParamHeaders();
  for (const message of session.sent) {
    if (message.method !== 'tools/list' || message.kind !== 'call' || message.answer?.kind !== 'result') continue;
    tools.learn(`{"result":${message.answer.text}}`);
  }
  return tools;
}
