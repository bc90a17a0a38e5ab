import type { FSWatcher } from 'chokidar';
import { afterEach, expect, test, vi } from 'vitest';
import { FakeClock } from '@/lib/wire/test-clock';
import type { WatchState } from '@/lib/wire/watch';
import { EntryWatch } from './entry-watch';
import { newFolder, removeFolders } from './fixtures/edited-server';
import { planOfGlobs } from './watch-plan';

const watchers: FSWatcher[] = [];

// The real one, and a way to reach it: a test can't use up the system's watches.
vi.mock('chokidar', async (load) => {
  const { watch } = await load<typeof import('chokidar')>();
  return {
    watch: (...options: Parameters<typeof watch>) => {
      const watcher = watch(...options);
      watchers.push(watcher);
      return watcher;
    },
  };
});

afterEach(removeFolders);

test('shows at once that the system allows no more watches', async () => {
  const shown: WatchState[] = [];
  const entry = {
    clock: new FakeClock(),
    good: () => undefined,
    show: (state: WatchState) => void shown.push(state),
    print: () => {},
    restart: async () => undefined,
  };
  const watch = new EntryWatch(entry, planOfGlobs(['.'], newFolder()));
  await watch.start();
  expect(shown.at(-1)).toMatchObject({ phase: 'watching' });
  watchers[0]!.emit('error', Object.assign(new Error(), { code: 'ENOSPC' }));
  expect(shown.at(-1)).toMatchObject({
    phase: 'watching',
    limit: expect.stringMatching(/^The system allows no more watches\./),
  });
  await watch.stop();
});
