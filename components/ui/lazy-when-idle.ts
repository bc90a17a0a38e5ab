import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/**
 * A lazy component whose code is fetched once the page is idle, so that the page starts faster. The component still
 * appears at once, so that no key reaches the elements behind it. Render it inside a Suspense.
 */
export function lazyWhenIdle<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  let loading: Promise<Loaded<Props>> | undefined;
  let loaded: Loaded<Props> | undefined;
  const once = (): Promise<Loaded<Props>> => {
    loading ??= load().then((component) => {
      loaded = { default: component };
      return loaded;
    });
    return loading;
  };
  if (typeof window !== 'undefined') whenIdle(() => void once().catch(() => {}));
  return lazy(() => (loaded ? resolvedNow(loaded) : once()));
}

interface Loaded<Props> {
  readonly default: ComponentType<Props>;
}

/** Resolves synchronously, so that React doesn't show the fallback for a moment. */
function resolvedNow<Value>(value: Value): Promise<Value> {
  // biome-ignore lint/suspicious/noThenProperty: React accepts any thenable
  return { then: (take: (value: Value) => void) => take(value) } as Promise<Value>;
}

/** Runs in an idle callback, or after 200 ms in Safari, which has none. */
function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(run);
  else setTimeout(run, 200);
}
