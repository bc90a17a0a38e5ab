/**
 * Commands that something waits for, such as a host for a tapped server. They load nothing else. Each function resolves
 * with false for a command line that has to be explained.
 */
export const QUICK_COMMANDS: ReadonlyMap<string, () => Promise<(words: readonly string[]) => Promise<boolean>>> =
  new Map(
    Object.entries({
      tap: () => import('./tap/proxy/main').then((file) => file.tap),
    }),
  );
