import { type FrameSelection, isSelected } from '@/lib/recording/frame-selection';
import type { Placeholders } from '@/lib/redact/placeholder';
import { ShareReview } from '@/lib/redact/share-review';
import type { ShareSource } from './share-source';

/** What there is to share, once all of it was gone through. */
export interface LookedThrough {
  /** Has seen every frame that goes on, and what else leaves with them. */
  readonly review: ShareReview;
  /** Frames of the whole. */
  readonly of: number;
  /** Frames that go on, and the bytes in them. */
  readonly frames: number;
  readonly bytes: number;
}

/** Goes through what is chosen of a source. `placeholders`: what gives findings their ids; absent, new ones. */
export async function lookThrough(
  source: ShareSource,
  selection: FrameSelection,
  placeholders?: Placeholders,
): Promise<LookedThrough> {
  const review = new ShareReview(placeholders);
  review.addText(source.about.name, 'name');
  let [of, frames, bytes] = [0, 0, 0];
  for await (const frame of source.frames()) {
    of++;
    if (isSelected(selection, frame.seq, frame.channel)) {
      review.add(frame);
      frames++;
      bytes += frame.bytes.length;
    }
  }
  return { review, of, frames, bytes };
}
