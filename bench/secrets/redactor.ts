// Shares frames the way a person does who accepts every default: record, review, mask. Bundled once for this version
// and once for the version that it is compared with, so it uses only what both have.
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import * as findings from '@/lib/redact/findings';
import { ShareReview } from '@/lib/redact/share-review';
import type { Frame } from '@/lib/wire/frame';

export interface Shared {
  readonly texts: readonly string[];
  /** Rows that ask a person to decide, because the value is only possibly a secret. */
  readonly rows: number;
}

const decoder = new TextDecoder();

/** Counts the choices for these findings. Earlier versions have one for each value. */
function rowsOf(list: readonly findings.SecretFinding[]): number {
  const { setsOf } = findings as Partial<typeof findings>;
  return (setsOf?.(list) ?? list).length;
}

/** `given`: secrets that the server was started with. */
export function share(frames: readonly Frame[], given: readonly string[]): Shared {
  const capture = new CaptureRedactor(given);
  const recorded = frames.map((frame) => capture.apply(frame));
  const review = new ShareReview();
  for (const frame of recorded) review.addFrame(frame);
  // The end of a recording names the secrets that came before their names. Earlier versions do not know this.
  const [known, reviewed] = [capture as Partial<CaptureRedactor>, review as Partial<ShareReview>];
  for (const frame of recorded) {
    for (const { from, to } of known.placesIn?.call(capture, frame.bytes) ?? [])
      reviewed.addPlace?.call(review, frame, from, to);
  }
  const redaction = review.createRedaction();
  return {
    texts: recorded.map((frame) => decoder.decode(redaction.apply(frame).bytes)),
    rows: rowsOf(review.findings().list.filter(({ rank }) => rank === 'possible')),
  };
}
