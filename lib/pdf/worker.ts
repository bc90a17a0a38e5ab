// First, because the display part then does its parsing in this same worker.
import 'pdfjs-dist/build/pdf.worker.mjs';
import { AnnotationMode, getDocument, type PDFDocumentProxy, VerbosityLevel } from 'pdfjs-dist';
import type { PdfAnswer, PdfJob } from './pdf-messages';

// Parses and draws in one worker without a page, so that a hostile file can be stopped and reaches nothing.

/** The part of a worker's global scope that we use. The DOM's types lack it. */
interface WorkerScope {
  addEventListener(type: 'message', listener: (event: { readonly data: PdfJob }) => void): void;
  postMessage(answer: PdfAnswer, transfer?: readonly ImageBitmap[]): void;
}

/** Pixels of the largest image of a file to decode, and of the largest page to draw. */
const MOST_IMAGE_PIXELS = 32_000_000;
const MOST_PAGE_PIXELS = 16_000_000;

interface CanvasAndContext {
  canvas: OffscreenCanvas | null;
  context: OffscreenCanvasRenderingContext2D | null;
}

/** Makes the canvases that pdf.js draws on, as its own factory does in a page. */
class OffscreenCanvasFactory {
  create(width: number, height: number): CanvasAndContext {
    const canvas = new OffscreenCanvas(Math.max(1, width), Math.max(1, height));
    return { canvas, context: canvas.getContext('2d') };
  }

  reset({ canvas }: CanvasAndContext, width: number, height: number): void {
    Object.assign(canvas!, { width, height });
  }

  destroy(made: CanvasAndContext): void {
    Object.assign(made, { canvas: null, context: null });
  }
}

/** SVG filters need a page, so none are applied. */
class NoFilters {
  addFilter = () => 'none';
  addHCMFilter = () => 'none';
  addAlphaFilter = () => 'none';
  addLuminosityFilter = () => 'none';
  addHighlightHCMFilter = () => 'none';
  destroy = () => {};
}

let file: PDFDocumentProxy | undefined;

async function answer(job: PdfJob): Promise<PdfAnswer> {
  if (job.type === 'open') {
    file = await getDocument({
      data: job.bytes,
      CanvasFactory: OffscreenCanvasFactory,
      FilterFactory: NoFilters,
      disableFontFace: true,
      isEvalSupported: false,
      useWasm: false,
      enableXfa: false,
      maxImageSize: MOST_IMAGE_PIXELS,
      verbosity: VerbosityLevel.ERRORS,
    }).promise;
    return { pdf: true, type: 'opened', pages: file.numPages };
  }
  const page = await file!.getPage(job.page);
  const { width, height } = page.getViewport({ scale: 1 });
  const scale = Math.min(job.width / width, Math.sqrt(MOST_PAGE_PIXELS / (width * height)));
  const viewport = page.getViewport({ scale });
  const canvas = new OffscreenCanvas(Math.max(1, Math.ceil(viewport.width)), Math.max(1, Math.ceil(viewport.height)));
  // The types know only the canvas of a page.
  const canvasContext = canvas.getContext('2d') as unknown as CanvasRenderingContext2D;
  await page.render({ canvas: null, canvasContext, viewport, annotationMode: AnnotationMode.DISABLE }).promise;
  return { pdf: true, type: 'drawn', image: canvas.transferToImageBitmap() };
}

const scope = globalThis as unknown as WorkerScope;

scope.addEventListener('message', ({ data: job }) => {
  if (job.type !== 'open' && job.type !== 'draw') return;
  answer(job).then(
    (done) => scope.postMessage(done, done.type === 'drawn' ? [done.image] : []),
    (error) => {
      const failure = (error as Error).name === 'PasswordException' ? 'password' : 'broken';
      scope.postMessage({ pdf: true, type: 'failed', failure });
    },
  );
});
