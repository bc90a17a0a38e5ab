import { useEffect, useRef, useState } from 'react';
import type { FileToOpen } from '@/lib/client/direct-link';
import { dropLongLink, linkedFile, linkedText } from '@/lib/client/launch';

/** A URL of a recording in the page's fragment, as it is written there. Nothing is fetched before `onAnswer`. */
export interface OfferedUrl {
  readonly text: string;
  /** Opens the file that the person agreed to, or none. */
  readonly onAnswer: (file: FileToOpen | undefined) => void;
}

/**
 * Opens the recording in the URL's fragment once. `open` opens a file, and `show` shows its connection. Returns a URL
 * that a person has to agree to first. A page that is a file (`inFile`) fetches none.
 */
export function useLinkedRecording(
  inFile: boolean,
  open: (file: FileToOpen | (() => Promise<File>)) => Promise<string | undefined>,
  show: (connection: string) => void,
): OfferedUrl | undefined {
  const begun = useRef(false);
  const [url, setUrl] = useState<string>();
  const openAndShow = (file: Parameters<typeof open>[0]) =>
    void open(file).then((connection) => {
      if (connection === undefined) return;
      dropLongLink();
      show(connection);
    });
  useEffect(() => {
    const text = linkedText(window.location.hash);
    if (begun.current || text === undefined) return;
    begun.current = true;
    // The text of a recording has no colon.
    if (!/:|%3a/i.test(text)) openAndShow(() => linkedFile(text));
    else if (!inFile) setUrl(text);
  });
  if (url === undefined) return undefined;
  return {
    text: url,
    onAnswer: (file) => {
      setUrl(undefined);
      if (file) openAndShow(file);
    },
  };
}
