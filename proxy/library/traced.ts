import { toInspectError } from './failures';

/**
 * Runs a public function. An error that it rejects with or throws names the function and the lines that called it, in
 * place of lines of the bundle. `entry` is the function itself, above which the stack begins.
 */
export function traced<T>(name: string, entry: (...words: never[]) => unknown, work: () => T): T {
  const at: { stack?: string } = {};
  Error.captureStackTrace(at, entry);
  const fail = (error: unknown): never => {
    const own = toInspectError(error);
    // An error of ours keeps where it came from, which we are then told.
    if (own.code !== 'internal') own.stack = stackOf(name, own, at.stack ?? '');
    throw own;
  };
  try {
    const result = work();
    return result instanceof Promise ? (result.catch(fail) as T) : result;
  } catch (error) {
    return fail(error);
  }
}

function stackOf(name: string, { name: kind, message }: Error, caller: string): string {
  const frames = caller.slice(caller.indexOf('\n') + 1);
  return `${kind}: ${message}\n    at ${name} (mcp-inspect)\n${frames}`;
}

/** Returns an object whose methods are {@link traced}. */
export function tracedMethods<T extends object>(name: string, object: T): T {
  const methods = new Map<PropertyKey, unknown>();
  return new Proxy(object, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      const known = methods.get(key);
      if (known) return known;
      const method = (...words: unknown[]): unknown =>
        traced(`${name}.${String(key)}`, method, () => Reflect.apply(value, target, words));
      methods.set(key, method);
      return method;
    },
  });
}
