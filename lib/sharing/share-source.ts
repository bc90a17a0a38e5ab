import type { RecordingEnd, RecordingHeader } from '@/lib/recording/format';
import type { Frame } from '@/lib/wire/frame';

/** What is shared: frames that can be gone through as often as it takes, and what is known of all of them. */
export interface ShareSource {
  /** What it lacks may be known only once all frames were gone through. Without a mode it was recorded by us. */
  readonly about: Pick<RecordingHeader, 'id' | 'at' | 'name' | 'transport' | 'lacks'> &
    Partial<Pick<RecordingHeader, 'mode'>> &
    Pick<RecordingEnd, 'forgotten'>;
  /** All frames, in their order, from the first. */
  frames(): AsyncIterable<Frame>;
}
