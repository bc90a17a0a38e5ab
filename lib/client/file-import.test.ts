import { expect, test } from 'vitest';
import { type AddOptions, FileImport, type ImportState } from './file-import';

const FAILURE = { code: 'not-a-recording', message: 'Not a recording.', advice: 'Choose another.' };
const files = (...names: readonly string[]) => names.map((name) => new File(['12345'], name));

/** Adds a file when the test says so. */
class Adding {
  readonly begun: string[] = [];
  options: AddOptions | undefined;
  end: (failure?: unknown) => void = () => {};
  readonly imports = new FileImport((file, options) => {
    this.begun.push(file.name);
    this.options = options;
    return new Promise((resolve, reject) => {
      this.end = (failure) => (failure === undefined ? resolve(undefined) : reject(failure));
      options.signal.addEventListener('abort', () => reject(options.signal.reason));
    });
  });

  get state(): ImportState {
    return this.imports.state;
  }
}

test('imports one file after the other; a failed one does not stop the others', async () => {
  const adding = new Adding();
  const { imports } = adding;
  const done = imports.start(files('a.mcpr.gz', 'notes.txt'));
  expect(adding.state.current).toMatchObject({ number: 1, of: 2, sent: 0 });
  adding.options!.onSent(3);
  expect(adding.state.current).toMatchObject({ sent: 3 });
  adding.options!.onConverted({ done: 1, of: 2 });
  expect(adding.state.current).toMatchObject({ sent: 5, converted: { done: 1, of: 2 } });
  adding.end();
  await expect.poll(() => adding.begun).toEqual(['a.mcpr.gz', 'notes.txt']);
  // More files wait for their turn.
  void imports.start(files('b.har'));
  expect(adding.state.current).toMatchObject({ number: 2, of: 3 });
  adding.end(FAILURE);
  await expect.poll(() => adding.begun).toHaveLength(3);
  adding.end();
  await done;
  expect(adding.state).toEqual({
    current: undefined,
    kept: 2,
    failed: [{ file: 'notes.txt', failure: FAILURE }],
    cancelled: 0,
  });
  imports.clear();
  expect(adding.state).toMatchObject({ kept: 0, failed: [] });
});

test('a cancel stops the file at work, and those that wait; those before stay', async () => {
  const adding = new Adding();
  const { imports } = adding;
  let told = 0;
  imports.subscribe(() => told++);
  const done = imports.start(files('a', 'b', 'c'));
  adding.end();
  await expect.poll(() => adding.begun).toEqual(['a', 'b']);
  imports.cancel();
  expect(adding.options!.signal.aborted).toBe(true);
  const cancelled = { current: undefined, kept: 1, failed: [], cancelled: 2 };
  expect(adding.state).toEqual(cancelled);
  // Late news of the cancelled file change nothing.
  const before = told;
  adding.options!.onSent(5);
  await done;
  expect(adding.state).toEqual(cancelled);
  expect(told).toBe(before);
  expect(adding.begun).toEqual(['a', 'b']);
  // The next import starts from zero.
  void imports.start(files('d'));
  expect(adding.state).toMatchObject({ current: { number: 1, of: 1 }, kept: 0, cancelled: 0 });
});
