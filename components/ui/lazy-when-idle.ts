import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/**
 * A component in a file of its own, which is fetched when the page is up and has nothing better to do: the start is lighter,
 * and whoever opens it later does not wait, not even for a moment in which keys would go to what is behind it. To be drawn within a Suspense.
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
  return lazy(() => (loaded ? here(loaded) : once()));
}

interface Loaded<Props> {
  readonly default: ComponentType<Props>;
}

/** Of a promise React hears a moment later, and shows what stands in until then; of this at once. */
function here<Value>(value: Value): Promise<Value> {
  // biome-ignore lint/suspicious/noThenProperty: it is what React asks for
  return { then: (take: (value: Value) => void) => take(value) } as Promise<Value>;
}

/** Safari has no idle callbacks. */
function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(run);
  else setTimeout(run, 200);
}
