import { useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Spinner } from '@/components/ui/notices';
import { usePdf } from '@/lib/hooks/pdf';
import type { PdfFailure } from '@/lib/pdf/pdf-messages';
import { formatCount } from '@/lib/wire/format';

const FAILURES: Readonly<Record<PdfFailure, string>> = {
  password: 'This PDF needs a password. Download it to open it.',
  broken: 'This is not a PDF that can be read. Download it to see its bytes.',
  slow: 'This PDF takes too long to draw. Download it to open it.',
};

/** Width of a page, in CSS px. */
const WIDTH = 720;

/** A server's PDF, one page at a time, drawn as an image: no links, forms or scripts. */
export default function PdfDocument({ bytes }: { readonly bytes: Uint8Array }) {
  const state = usePdf(bytes);
  const [page, setPage] = useState(1);
  const [failure, setFailure] = useState<PdfFailure>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const { reader, pages } = state ?? {};
  useEffect(() => {
    if (reader === undefined || pages === undefined) return;
    let current = true;
    reader.draw(page, WIDTH * Math.min(2, window.devicePixelRatio)).then(
      (image) => {
        const target = canvas.current;
        if (!current || !target || !image) return;
        target.width = image.width;
        target.height = image.height;
        target.getContext('bitmaprenderer')?.transferFromImageBitmap(image);
      },
      (reason: PdfFailure) => current && setFailure(reason),
    );
    return () => {
      current = false;
    };
  }, [reader, pages, page]);
  const failed = state?.failure ?? failure;
  if (failed) return <p className="text-warn">! {FAILURES[failed]}</p>;
  if (pages === undefined) {
    return (
      <p className="flex items-center gap-2 text-muted">
        <Spinner /> Opening the PDF…
      </p>
    );
  }
  return (
    <figure className="min-w-0">
      <canvas
        ref={canvas}
        role="img"
        aria-label={`Page ${formatCount(page)} of the PDF`}
        className="max-w-full border border-line bg-white"
        style={{ width: WIDTH }}
      />
      <figcaption className="mt-1 flex items-center gap-2 text-muted">
        <Button size="small" disabled={page === 1} onClick={() => setPage(page - 1)}>
          Previous
        </Button>
        <span className="tabular">
          Page {formatCount(page)} of {formatCount(pages)}
        </span>
        <Button size="small" disabled={page === pages} onClick={() => setPage(page + 1)}>
          Next
        </Button>
      </figcaption>
    </figure>
  );
}
