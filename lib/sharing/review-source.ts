import { isMissingFrame, isNote } from '@/lib/recording/lifecycle-event';
import type { Placeholders } from '@/lib/redact/placeholders';
import { ShareReview } from '@/lib/redact/share-review';
import { type PersonalDetail, personalDetails } from './personal-details';
import { type FrameSelection, isSelected, SelectionCompleter } from './selection';
import type { ShareSource } from './share-job';

/** Notes and the like of a recording that is shared, which are asked about. */
const TELLING_FACTS = 500;

/** What there is to share, once all of it was gone through. */
export interface ReviewedSource {
  /** Has seen every frame that goes on, and what else leaves with them. */
  readonly review: ShareReview;
  /** What was chosen, and what it needs besides. */
  readonly selection: FrameSelection;
  /** Frames of the whole. */
  readonly of: number;
  /** Frames that go on, without what was said afterwards, and the bytes in all of them. */
  readonly frames: number;
  readonly bytes: number;
  /** What leaves besides and is the author's own, the first `TELLING_FACTS` of it. */
  readonly facts: readonly PersonalDetail[];
}

/** Goes through what is chosen of a source, of a range also what makes it whole. `placeholders`: what gives findings their ids; absent, new ones. */
export async function reviewSource(
  source: ShareSource,
  chosen: FrameSelection,
  placeholders?: Placeholders,
): Promise<ReviewedSource> {
  const selection = await wholeSelection(source, chosen);
  const review = new ShareReview(placeholders);
  review.addText(source.about.name, 'name');
  const facts: PersonalDetail[] = [];
  let [of, frames, bytes] = [0, 0, 0];
  for await (const frame of source.frames()) {
    of++;
    if (isSelected(selection, frame)) {
      review.addFrame(frame);
      if (facts.length < TELLING_FACTS) facts.push(...personalDetails(frame));
      if (!isNote(frame) && !isMissingFrame(frame)) frames++;
      bytes += frame.bytes.length;
    }
  }
  return { review, selection, of, frames, bytes, facts };
}

async function wholeSelection(source: ShareSource, chosen: FrameSelection): Promise<FrameSelection> {
  if (chosen.from === undefined && chosen.to === undefined) return chosen;
  const exchanges = new SelectionCompleter(chosen);
  for await (const frame of source.frames()) exchanges.addFrame(frame);
  return exchanges.selection();
}
