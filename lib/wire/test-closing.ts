import { afterEach } from 'vitest';

interface Closing {
  close(): unknown;
}

/** What the tests of a file open: whatever is put in here is closed after each of them, the newest first. */
export function closedAfterEach(): Closing[] {
  const open: Closing[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
  });
  return open;
}
