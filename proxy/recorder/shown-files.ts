import { resolve } from 'node:path';

/** Of recordings that this process shows to somebody. */
const shown = new Set<{ readonly path: string }>();

/** From now on this process shows a recording, whose file may be read anew, and noted on, until the function that is returned is called. */
export function nowShown(path: string): () => void {
  const one = { path: resolve(path) };
  shown.add(one);
  return () => void shown.delete(one);
}

/** Whether anybody has it open here. */
export function isShown(path: string): boolean {
  const absolute = resolve(path);
  return [...shown].some((one) => one.path === absolute);
}
