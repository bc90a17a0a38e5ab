import { randomBytes } from 'node:crypto';
import { type AppNeeds, appNeeds } from '@/features/apps/lib/app-meta';
import { reportingPage } from '@/features/apps/lib/app-notices';
import { agreedAccess, appPolicy, judgeSource, localOrigin } from '@/features/apps/lib/app-policy';
import { isObject, isText, isTextList, objectWith, optional } from '@/lib/json/value';
import { ConnectionError } from '@/lib/transports/transport';
import type { PagePart } from '@/proxy/commands/inspect/page-part';
import { pin, type Resolver, systemResolver } from '@/proxy/egress/address-policy';
import { bareReply, failureReply, jsonReply } from '@/proxy/http/reply';
import { type HttpRoute, objectIn } from '@/proxy/http/routes';

/** Longest page of an app in bytes. Apps bundle their libraries. */
const PAGE_BYTES = 16 * 1024 * 1024;
/** Pages that are kept in memory. The oldest are dropped; an app that runs needs its page no longer. */
const MOST_PAGES = 8;

interface AppDocument {
  readonly html: string;
  readonly csp: string;
}

/** A request of the page to open an app. */
interface OpenApp {
  readonly html: string;
  /** `_meta` of the resource. */
  readonly meta: unknown;
  /** Origins and permissions that the user agreed to. */
  readonly agreed: readonly string[];
  /** Origin of a server on this machine that the user named. The app may load its files, and send it nothing else. */
  readonly local?: string;
}

/**
 * Serves the pages of apps to frames, each with the policy that its needs and the user's agreement give. The address is
 * a secret of 128 bits, because a frame can't send our token.
 */
export class AppDocuments {
  readonly #documents = new Map<string, AppDocument>();
  readonly #resolve: Resolver;

  constructor(resolve: Resolver = systemResolver) {
    this.#resolve = resolve;
  }

  /** Returns the path of the page, with its query. Rejects with ConnectionError `app-origin`. */
  async open({ html, meta, agreed, local }: OpenApp): Promise<string> {
    const needs = appNeeds(meta);
    await this.#requirePublic(agreedAccess(needs, new Set(agreed)));
    const access = agreedAccess(needs, new Set(agreed), local);
    const id = randomBytes(16).toString('base64url');
    this.#documents.set(id, { html: reportingPage(html), csp: appPolicy(access) });
    for (const oldest of this.#documents.keys()) {
      if (this.#documents.size <= MOST_PAGES) break;
      this.#documents.delete(oldest);
    }
    return `/app-frame?id=${id}`;
  }

  get(id: string): AppDocument | undefined {
    return this.#documents.get(id);
  }

  /** A public name can lead to this network. Names that don't resolve here can't be reached by the browser, either. */
  async #requirePublic(access: Pick<AppNeeds, 'connect' | 'resource' | 'frame' | 'base'>): Promise<void> {
    const origins = new Set([...access.connect, ...access.resource, ...access.frame, ...access.base]);
    await Promise.all(
      [...origins].map(async (origin) => {
        const judged = judgeSource(origin);
        if (!('host' in judged) || origin.includes('*')) return;
        const url = new URL(`https://${judged.host}`);
        const reach = await pin(url, { allowLocal: true }, this.#resolve).then(
          (found) => found.reach,
          () => 'public',
        );
        if (reach !== 'public') throw leadsHere(origin);
      }),
    );
  }
}

function leadsHere(origin: string): ConnectionError {
  return new ConnectionError({
    code: 'app-origin',
    message: `The app declares ${origin}, which leads to this machine or its network, so the app was not started.`,
    advice: 'Start it without this origin.',
  });
}

const isLocal = (value: unknown): boolean => typeof value === 'string' && localOrigin(value) === value;
const isOpenApp = objectWith({ html: isText, meta: () => true, agreed: isTextList, local: optional(isLocal) });

/** Serves apps to the page. */
export function serve(): PagePart {
  return { routes: appRoutes(new AppDocuments()), close: async () => {} };
}

/** Routes that take an app's page, and serve it to a frame. */
export function appRoutes(documents: AppDocuments): readonly HttpRoute[] {
  return [
    {
      method: 'POST',
      path: '/api/apps',
      upgrade: false,
      access: 'token',
      bodyBytes: PAGE_BYTES,
      handle: async ({ body }) => {
        const asked = objectIn(body);
        if (!isObject(asked) || !isOpenApp(asked)) return bareReply(400);
        return documents.open(asked as unknown as OpenApp).then((path) => jsonReply(200, { path }), failureReply);
      },
    },
    {
      method: 'GET',
      path: '/app-frame',
      upgrade: false,
      access: 'open',
      handle: ({ query }) => {
        const found = documents.get(new URLSearchParams(query).get('id') ?? '');
        return found
          ? { status: 200, type: 'text/html; charset=utf-8', body: found.html, csp: found.csp }
          : bareReply(404);
      },
    },
  ];
}
