import { isText, type JsonObject, objectWith, oneOf, optional } from '@/lib/json/value';
import { ConnectionError } from '@/lib/transports/transport';
import type { TapAction, TapPlan } from '@/lib/wire/api';
import { docsUrl } from '@/lib/wire/docs-url';
import type { Failure } from '@/lib/wire/lifecycle';
import { bareReply, failureReply, jsonReply, type Reply } from '@/proxy/http/reply';
import { type HttpRoute, objectIn } from '@/proxy/http/routes';
import { type DiscoveryContext, type FoundServer, findServers, idOfFound } from '@/proxy/servers/discovery';
import type { Installer } from './installer';

interface RouteOptions {
  /** Loads the installer, whose code a start does not need. */
  readonly installer: () => Promise<Installer>;
  readonly context: DiscoveryContext;
  /** Rejects with a ConnectionError if the change may not be made. Absent: it may. */
  readonly confirm?: ((path: string, server: string, action: TapAction, digest: string) => Promise<void>) | undefined;
}

interface TapRequest {
  /** Id of a found server. */
  readonly id: string;
  readonly action: TapAction;
  /** The plan that the page showed. */
  readonly digest?: string;
}

/** Routes that show a change of a host’s config, and make it. A page names a server, and sends no text for it. */
export function installRoutes(options: RouteOptions): readonly HttpRoute[] {
  const post = (path: string, answer: (request: TapRequest) => Promise<Reply>): HttpRoute => ({
    method: 'POST',
    path,
    upgrade: false,
    access: 'token',
    handle: async ({ body }) => {
      const request = objectIn(body);
      return request && isTapRequest(request) ? answer(request).catch(failureReply) : bareReply(400);
    },
  });
  return [
    post('/api/installs/plan', async ({ id, action }) => jsonReply(200, await planned(options, id, action))),
    post('/api/installs/change', async ({ id, action, digest }) => {
      if (digest === undefined) return bareReply(400);
      const server = await serverWith(options, id);
      // Only a change that a person has seen is asked about.
      const installer = await options.installer();
      const { changes } = await installer.plan([server], action);
      if (changes[0]?.digest === digest) await options.confirm?.(server.path, server.entry.name, action, digest);
      await installer.change([server], action, [digest]);
      return jsonReply(200, {});
    }),
  ];
}

async function planned(options: RouteOptions, id: string, action: TapAction): Promise<TapPlan> {
  const server = await serverWith(options, id);
  const { path, changes, unchanged } = await (await options.installer()).plan([server], action);
  const [change] = changes;
  if (!change) {
    const message = `The entry \`${server.entry.name}\` stays as it is. ${unchanged[0]!.why}`;
    throw new ConnectionError({ code: 'entry-stays', message, advice: `See ${docsUrl('install')}.` });
  }
  const { diff, digest } = change;
  return { path, diff, digest, ...(server.project !== undefined && { isProject: true }) };
}

async function serverWith({ context }: RouteOptions, id: string): Promise<FoundServer> {
  const { servers } = await findServers(context);
  const server = servers.find((one) => idOfFound(one) === id);
  if (!server) throw new ConnectionError(GONE);
  return server;
}

function isTapRequest(request: JsonObject): request is JsonObject & TapRequest {
  return isRequest(request);
}

const isRequest = objectWith({ id: isText, action: oneOf('tap', 'untap'), digest: optional(isText) });

const GONE: Failure = {
  code: 'server-gone',
  message: 'The config no longer has this server.',
  advice: 'Look at the list again.',
};
