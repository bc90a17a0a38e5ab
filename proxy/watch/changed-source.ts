import { realpathSync, statSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { planOf, scriptOf, type WatchedCommand } from './watch-plan';

/**
 * Calls `onChange` once: with the name of the first source file beside a server's script that is newer than `since`, in
 * ms since 1970. Looks into no other folder, so that it costs one watch. Returns a function that stops it.
 */
export function noticeChange(server: WatchedCommand, since: number, onChange: (name: string) => void): () => void {
  const script = scriptOf(server);
  const plan = script === undefined ? undefined : planOf(server, false);
  if (script === undefined || plan === undefined) return () => {};
  try {
    const folder = dirname(realpathSync(script));
    const watcher = watch(folder, { persistent: false });
    const stop = (): void => watcher.close();
    watcher.on('error', stop);
    watcher.on('change', (_event, name) => {
      const path = join(folder, String(name));
      const changedAt = plan.matches(path) ? statSync(path, { throwIfNoEntry: false })?.mtimeMs : undefined;
      if (changedAt === undefined || changedAt <= since) return;
      stop();
      onChange(String(name));
    });
    return stop;
  } catch {
    // The system has no watch left. Nothing is noticed then.
    return () => {};
  }
}
