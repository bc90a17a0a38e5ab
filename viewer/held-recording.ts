import { fromBase64 } from '@/lib/recording/base64';

/** Id of the inert script element that holds the recording, gzipped, in base64; its `data-name` is what the file is called. */
const ELEMENT = 'recording';

/** The recording in this page. Throws if what should hold it holds none. */
export function heldRecording(page: Document): File {
  const element = page.getElementById(ELEMENT);
  const bytes = fromBase64((element?.textContent ?? '').trim());
  const name = element?.dataset.name ?? 'recording.mcpr.gz';
  // Megabytes, perhaps, which the page needs no longer.
  element?.remove();
  return new File([bytes as Uint8Array<ArrayBuffer>], name);
}
