import { isMissingFrame, isNote } from '@/lib/recording/lifecycle-event';
import type { Placeholders } from '@/lib/redact/placeholders';
import { ShareReview } from '@/lib/redact/share-review';
import { readFrame } from '@/lib/store/classify';
import { messageLength } from '@/lib/wire/cut-message';
import { type PersonalDetail, personalDetails } from './personal-details';
import { type FrameSelection, isSelected, SelectionCompleter } from './selection';
import type { ShareSource } from './share-job';

/** How many personal details a review lists. */
const TELLING_FACTS = 500;

/** A source that was reviewed completely. */
export interface ReviewedSource {
  /** The review of every shared frame, and of the other text that is shared. */
  readonly review: ShareReview;
  /** The choice, completed with the frames that it needs. */
  readonly selection: FrameSelection;
  /** Number of frames in the whole recording. */
  readonly of: number;
  /** Number of shared frames without notes, and the bytes of all shared frames. */
  readonly frames: number;
  readonly bytes: number;
  /** Personal details among the shared frames, up to a limit. */
  readonly facts: readonly PersonalDetail[];
}

/**
 * Reviews the chosen part of a source. A range is completed with the frames that it needs. `placeholders` give findings
 * their ids; absent: new ones.
 */
export async function reviewSource(
  source: ShareSource,
  chosen: FrameSelection,
  placeholders?: Placeholders,
): Promise<ReviewedSource> {
  const completed = await source.complete?.(chosen);
  const selection = completed?.selection ?? (await wholeSelection(source, chosen));
  const review = new ShareReview(placeholders);
  review.addText(source.about.name, 'name');
  const facts: PersonalDetail[] = [];
  let [read, frames, bytes] = [0, 0, 0];
  for await (const frame of source.frames(selection)) {
    read++;
    if (isSelected(selection, frame)) {
      review.addFrame(frame);
      if (facts.length < TELLING_FACTS) facts.push(...personalDetails(frame));
      if (!isNote(frame) && !isMissingFrame(frame)) frames++;
      bytes += messageLength(frame);
    }
  }
  await addEarly(review, source, selection);
  return { review, selection, of: completed?.of ?? read, frames, bytes, facts };
}

/** Adds secrets that the recording kept because their name came later. They may be anywhere in what is shared. */
async function addEarly(review: ShareReview, source: ShareSource, selection: FrameSelection): Promise<void> {
  const { early = [] } = source.about;
  if (early.length === 0) return;
  const seqs = new Set(early.map(([seq]) => seq));
  for await (const frame of source.frames(selection)) {
    if (!seqs.has(frame.seq)) continue;
    for (const [seq, from, to] of early) if (seq === frame.seq) review.addPlace(frame, from, to);
  }
}

async function wholeSelection(source: ShareSource, chosen: FrameSelection): Promise<FrameSelection> {
  if (chosen.from === undefined && chosen.to === undefined) return chosen;
  const exchanges = new SelectionCompleter(chosen);
  for await (const frame of source.frames()) exchanges.addFrame(frame, () => readFrame(frame).value);
  return exchanges.selection();
}
