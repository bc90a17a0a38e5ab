import { useEffect, useRef } from 'react';
import { dropLongLink, linkedFile, linkedText } from '@/lib/client/launch';

/** Opens the recording in the URL's fragment once. `open` opens a file, and `show` shows its connection. */
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
