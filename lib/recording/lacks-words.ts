import type { RecordingLacks } from '@/lib/wire/recording-facts';

/** What the recording lacked that another was made from, as one sentence. */
export function lacksWords({ end, damaged = 0, missing = 0 }: RecordingLacks): string {
  const parts = [
    ...(end ? ['its writer did not come to the end'] : []),
    ...(damaged > 0 ? [damaged === 1 ? 'one line was damaged' : `${damaged} lines were damaged`] : []),
    ...(missing > 0 ? [missing === 1 ? 'one frame was missing' : `${missing} frames were missing`] : []),
  ];
  return `It was made from a recording that is incomplete: ${parts.join(', ')}.`;
}
