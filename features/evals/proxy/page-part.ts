import { pageModels } from '@/features/chat/proxy/page-part';
import type { PageCore, PagePart } from '@/proxy/commands/inspect/page-part';
import { LazyPart } from '@/proxy/http/lazy-part';
import { evalRoute } from './eval-route';

/** Serves the evals of the page. Their other code is loaded when the page first asks for something. */
export function serve(core: PageCore): PagePart {
  const evals = new LazyPart(async () => {
    const [{ createPageEvals }, models] = await Promise.all([import('./prepare-eval'), pageModels(core)]);
    return createPageEvals(core, models);
  });
  return {
    routes: [evalRoute(async (request) => (await evals.get()).run(request))],
    isRunning: () => evals.loaded?.isRunning ?? false,
    close: () => evals.close(),
  };
}
