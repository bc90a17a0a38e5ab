import { useEffect, useState } from 'react';
import { startPdfWorker } from '@/lib/client/workers';
import type { PdfFailure } from '@/lib/pdf/pdf-messages';
import { PdfReader } from '@/lib/pdf/pdf-reader';

/** A PDF file that is being read. */
export interface PdfState {
  readonly reader: PdfReader;
  /** undefined until the file is open. */
  readonly pages?: number;
  readonly failure?: PdfFailure;
}

/** Opens a PDF file in a worker of its own while the component is mounted. undefined before that. */
export function usePdf(bytes: Uint8Array): PdfState | undefined {
  const [state, setState] = useState<PdfState>();
  useEffect(() => {
    const reader = new PdfReader(startPdfWorker());
    setState({ reader });
    reader.open(bytes).then(
      (pages) => setState({ reader, pages }),
      (failure: PdfFailure) => setState({ reader, failure }),
    );
    return () => reader.close();
  }, [bytes]);
  return state;
}
