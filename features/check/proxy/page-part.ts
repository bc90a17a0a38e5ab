import { lastValue } from '@/proxy/cli/grammar';
import type { PageCore, PagePart } from '@/proxy/commands/inspect/page-part';
import { LazyPart } from '@/proxy/http/lazy-part';
import { pinsRoute } from './pins/pins-route';

/** Serves the pinned calls of the page. Their other code is loaded when the page first asks for them. */
export function serve({ hub, given, confirmation }: PageCore): PagePart {
  const pins = new LazyPart(async () => {
    const { openPagePins } = await import('./pins/page-pins');
    return openPagePins(lastValue(given, 'pins'), hub, confirmation);
  });
  return {
    routes: [pinsRoute(async (request) => (await pins.get()).run(request))],
    afterSave: async (run, signal, first) => (await pins.get()).playOnSave(run, signal, first),
    forgotten: (id) => pins.loaded?.forget(id),
    close: () => pins.close(),
  };
}
