import { expect, test } from 'vitest';
import { FakeClock } from '@/lib/wire/test-clock';
import type { PdfAnswer, PdfJob } from './pdf-messages';
import { PDF_MS, PdfReader, type PdfWorker } from './pdf-reader';

/** A worker whose answers the test gives. */
class FakeWorker implements PdfWorker {
  onmessage: PdfWorker['onmessage'] = null;
  onerror: PdfWorker['onerror'] = null;
  terminated = false;
  readonly jobs: PdfJob[] = [];

  postMessage(job: PdfJob): void {
    this.jobs.push(job);
  }

  answer(answer: object): void {
    this.onmessage?.({ data: answer as PdfAnswer });
  }

  terminate(): void {
    this.terminated = true;
  }
}

/** Lets the promises that are due settle. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

async function opening() {
  const worker = new FakeWorker();
  const clock = new FakeClock();
  const reader = new PdfReader(worker, clock);
  const bytes = Uint8Array.of(37, 80, 68, 70);
  const pages = reader.open(bytes);
  await settled();
  return { worker, clock, reader, bytes, pages };
}

test('opens a copy of the bytes, and ignores messages of pdf.js itself', async () => {
  const { worker, bytes, pages } = await opening();
  worker.answer({ sourceName: 'worker', action: 'ready' });
  worker.answer({ pdf: true, type: 'opened', pages: 3 });
  expect(await pages).toBe(3);
  expect(worker.jobs).toEqual([{ type: 'open', bytes }]);
  expect(bytes).toHaveLength(4);
});

test('says why a file can’t be opened', async () => {
  const { worker, pages } = await opening();
  worker.answer({ pdf: true, type: 'failed', failure: 'password' });
  await expect(pages).rejects.toBe('password');
});

test('attack: stops a file that takes too long, for good', async () => {
  const { worker, clock, reader, pages } = await opening();
  const page = reader.draw(1, 100);
  clock.advance(PDF_MS);
  await expect(pages).rejects.toBe('slow');
  await expect(page).rejects.toBe('slow');
  expect(worker.terminated).toBe(true);
  expect(worker.jobs).toHaveLength(1);
});
