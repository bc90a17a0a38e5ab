import { LIMITS } from '@/lib/wire/limits';

const LINKED = /^#recording=(.+)$/s;

/** The recording in an address's fragment, as links hold it (lib/sharing/make-link). */
export function linkedText(hash: string): string | undefined {
  return LINKED.exec(hash)?.[1];
}

/** The recording in such a text as a file. Rejects with a RecordingError. What reads it is loaded for this alone. */
export async function linkedFile(text: string): Promise<File> {
  const { linkedRecording } = await import('@/lib/sharing/open-link');
  return new File([await linkedRecording(text)], 'link.mcpr.jsonl');
}

/** Takes a long recording out of the address once it is open: each step in the page's history would hold it again. */
export function dropLongLink(): void {
  const { pathname, search, hash } = window.location;
  if (hash.length > LIMITS.linkEverywhereChars) window.history.replaceState(null, '', pathname + search);
}
