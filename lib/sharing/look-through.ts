import { type FrameSelection, isSelected } from '@/lib/recording/frame-selection';
import { isMissing, isNote } from '@/lib/recording/lifecycle-event';
import type { Placeholders } from '@/lib/redact/placeholder';
import { ShareReview } from '@/lib/redact/share-review';
import { LIMITS } from '@/lib/wire/limits';
import type { ShareSource } from './share-source';
import { type TellingFact, tellingFacts } from './telling-facts';
import { WholeExchanges } from './whole-exchanges';

/** What there is to share, once all of it was gone through. */
export interface LookedThrough {
  /** Has seen every frame that goes on, and what else leaves with them. */
  readonly review: ShareReview;
  /** What was chosen, and what it needs besides. */
  readonly selection: FrameSelection;
  /** Frames of the whole. */
  readonly of: number;
  /** Frames that go on, without what was said afterwards, and the bytes in all of them. */
  readonly frames: number;
  readonly bytes: number;
  /** What leaves besides and is the author's own, the first `LIMITS.tellingFacts` of it. */
  readonly facts: readonly TellingFact[];
}

/** Goes through what is chosen of a source, of a range also what makes it whole. `placeholders`: what gives findings their ids; absent, new ones. */
export async function lookThrough(
  source: ShareSource,
  chosen: FrameSelection,
  placeholders?: Placeholders,
): Promise<LookedThrough> {
  const selection = await wholeSelection(source, chosen);
  const review = new ShareReview(placeholders);
  review.addText(source.about.name, 'name');
  const facts: TellingFact[] = [];
  let [of, frames, bytes] = [0, 0, 0];
  for await (const frame of source.frames()) {
    of++;
    if (isSelected(selection, frame)) {
      review.add(frame);
      if (facts.length < LIMITS.tellingFacts) facts.push(...tellingFacts(frame));
      if (!isNote(frame) && !isMissing(frame)) frames++;
      bytes += frame.bytes.length;
    }
  }
  return { review, selection, of, frames, bytes, facts };
}

async function wholeSelection(source: ShareSource, chosen: FrameSelection): Promise<FrameSelection> {
  if (chosen.from === undefined && chosen.to === undefined) return chosen;
  const exchanges = new WholeExchanges(chosen);
  for await (const frame of source.frames()) exchanges.add(frame);
  return exchanges.selection();
}
