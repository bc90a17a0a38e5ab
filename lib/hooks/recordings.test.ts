import { expect, test } from 'vitest';
import type { RecordingFacts } from '@/lib/wire/recording-facts';
import { openedAlready } from './recordings';

const opened = (id: string, file: string, ended?: boolean) => ({
  id,
  recording: { file, by: '', ...(ended !== undefined && { report: { ended } }) } as RecordingFacts,
});

test.each([
  ['it is open', {}, [opened('c1', 'a', true), opened('c2', 'b', true)], 'c1'],
  ['another one is', {}, [opened('c2', 'b', true), { id: 'c3' }], undefined],
  ['it is still being read', {}, [opened('c1', 'a')], undefined],
  ['it was open while it was recorded', { incomplete: false }, [opened('c1', 'a', false)], undefined],
  ['it will never have an end', { incomplete: true }, [opened('c1', 'a', false)], 'c1'],
  ['it is being recorded', { live: true }, [opened('c1', 'a', true)], undefined],
])('shows an open recording again: %s', (_when, entry, connections, shown) => {
  expect(openedAlready({ id: 'a', live: false, ...entry }, connections)).toBe(shown);
});
