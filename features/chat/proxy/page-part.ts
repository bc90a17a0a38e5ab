import { RedactedLog } from '@/lib/hub/redacted-log';
import { systemClock } from '@/lib/wire/clock';
import type { PageCore, PagePart } from '@/proxy/commands/inspect/page-part';
import { LazyPart } from '@/proxy/http/lazy-part';
import { chatRoute } from './chat-route';
import type { PageModels } from './page-models';

/** Serves the chats of the page. Their other code is loaded when the page first asks for something. */
export function serve(core: PageCore): PagePart {
  const chats = new LazyPart(async () => {
    const [{ Chats }, models] = await Promise.all([import('./chats'), pageModels(core)]);
    const { hub, recorder, printNote } = core;
    return new Chats({
      clock: systemClock,
      models,
      newestRunOf: (entry) => hub.newestRunOf(entry),
      connection: (id) => hub.live(id),
      onGrown: (id) => hub.logGrew(id),
      onForgotten: (id) => hub.logForgotten(id),
      logOf(id) {
        const { log, redactor } = hub.get(id);
        // A replay is recorded, and knows the secrets of no server but its own.
        return redactor ? new RedactedLog(log, redactor) : log;
      },
      record: ({ log, redactor, startedAt }, name) =>
        recorder?.record(log, { name, transport: 'auto', at: startedAt, redactor }, printNote),
    });
  });
  return {
    routes: [chatRoute(async (request) => (await chats.get()).run(request))],
    logOf: (id) => chats.loaded?.get(id),
    inboxChanged: (connection) => chats.loaded?.inboxChanged(connection),
    close: () => chats.close(),
  };
}

const MODELS = new WeakMap<PageCore, Promise<PageModels>>();

/** Loads the models of the page, once: keys that somebody typed are for chats and evals alike. */
export function pageModels(core: PageCore): Promise<PageModels> {
  const loading = MODELS.get(core) ?? loadModels(core);
  MODELS.set(core, loading);
  return loading;
}

async function loadModels(core: PageCore): Promise<PageModels> {
  try {
    return new (await import('./page-models')).PageModels(core.version, core.allowLinkLocal);
  } catch (error) {
    // The next call tries again.
    MODELS.delete(core);
    throw error;
  }
}
