import { type ComponentType, type LazyExoticComponent, lazy, useSyncExternalStore } from 'react';

/**
 * A lazy component whose code is fetched once the page is idle, so that the page starts faster. The component still
 * appears at once, so that no key reaches the elements behind it. Render it inside a Suspense.
 */
export function lazyWhenIdle<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  const code = fetchWhenIdle(load);
  return lazy(() => {
    const loaded = code.now();
    return loaded ? resolvedNow({ default: loaded }) : code.get().then((component) => ({ default: component }));
  });
}

/** Functions whose code is fetched once the page is idle. Returns a hook: they, or undefined until they are here. */
export function codeWhenIdle<Code>(load: () => Promise<Code>): () => Code | undefined {
  const code = fetchWhenIdle(load);
  const subscribe = (listener: () => void) => {
    if (code.now() === undefined) code.get().then(listener, () => {});
    return () => {};
  };
  return () => useSyncExternalStore(subscribe, code.now, code.now);
}

/** Loads once: when the page is idle, or earlier if somebody calls `get`. After a failure the next call tries again. */
function fetchWhenIdle<Code>(load: () => Promise<Code>): {
  readonly get: () => Promise<Code>;
  readonly now: () => Code | undefined;
} {
  let loading: Promise<Code> | undefined;
  let loaded: Code | undefined;
  const get = () => {
    loading ??= load().then(
      (code) => {
        loaded = code;
        return code;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  if (typeof window !== 'undefined') whenIdle(() => void get().catch(() => {}));
  return { get, now: () => loaded };
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
