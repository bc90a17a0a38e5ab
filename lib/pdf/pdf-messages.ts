/** A job for the worker: to open a file, once, or to draw one of its pages at a width in device pixels. */
export type PdfJob =
  | { readonly type: 'open'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'draw'; readonly page: number; readonly width: number };

/** Why a file can't be shown. */
export type PdfFailure = 'password' | 'broken' | 'slow';

/** The worker's answer to a job. The marker tells it from the messages of pdf.js itself. */
export type PdfAnswer = { readonly pdf: true } & (
  | { readonly type: 'opened'; readonly pages: number }
  | { readonly type: 'drawn'; readonly image: ImageBitmap }
  | { readonly type: 'failed'; readonly failure: PdfFailure }
);
