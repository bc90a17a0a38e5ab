import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/**
 * A component in a file of its own, which is fetched when the page is up and has nothing better to do: the start is lighter,
 * and whoever opens it later does not wait. To be drawn within a Suspense.
 */
export function later<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  let loading: Promise<ComponentType<Props>> | undefined;
  const once = (): Promise<ComponentType<Props>> => {
    loading ??= load();
    return loading;
  };
  if (typeof window !== 'undefined') whenIdle(() => void once().catch(() => {}));
  return lazy(async () => ({ default: await once() }));
}

/** Safari has no idle callbacks. */
function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(run);
  else setTimeout(run, 200);
}
