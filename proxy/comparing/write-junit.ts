import { resolve } from 'node:path';
import type { Comparison } from '@/lib/compare/compare-sessions';
import { usage } from '../cli/exit-code';
import { writeReport } from '../recorder/report-file';
import { junitXml } from './junit';
import type { Sides } from './report';

/** Writes a comparison as JUnit XML wherever `--junit` says. Throws a {@link Stop} for a path that can't be written. */
export async function writeJunit(
  given: ReadonlyMap<string, readonly string[]>,
  comparison: Comparison,
  sides: Sides,
  suite: string,
): Promise<void> {
  for (const path of given.get('junit') ?? []) {
    await writeReport(resolve(path), junitXml(comparison, sides, suite)).catch((error: NodeJS.ErrnoException) => {
      throw usage(`The file \`${path}\` can’t be written (${error.code}): check the path after \`--junit\`.`);
    });
  }
}
