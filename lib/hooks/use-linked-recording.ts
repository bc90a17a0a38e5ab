import { useEffect, useRef } from 'react';
import { dropLongLink, linkedFile, linkedText } from '@/lib/client/linked-recording';

/** Opens the recording that the page's address has in its fragment, once: `open` as any file, and `show` the connection it is. */
export function useLinkedRecording(
  open: (file: () => Promise<File>) => Promise<string | undefined>,
  show: (connection: string) => void,
): void {
  const begun = useRef(false);
  useEffect(() => {
    const text = linkedText(window.location.hash);
    if (begun.current || text === undefined) return;
    begun.current = true;
    void open(() => linkedFile(text)).then((connection) => {
      if (connection === undefined) return;
      dropLongLink();
      show(connection);
    });
  });
}
