import { afterEach } from 'vitest';

interface Closing {
  close(): unknown;
}

/** Returns a list whose entries are closed after each test, the newest first. */
export function closedAfterEach(): Closing[] {
  const open: Closing[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
  });
  return open;
}
