import { resolve } from 'node:path';
import { comparedNothing, compareTraffic, isEqual } from '@/lib/replay/compare/comparison';
import { runToEnd } from '@/lib/wire/in-slices';
import { EXIT, usageError } from '@/proxy/cli/exit-code';
import type { RunCommand } from '@/proxy/cli/grammar';
import { openErrorText } from '@/proxy/recorder/open-file';
import { damageSentences, readTrafficFile } from '@/proxy/recorder/read-traffic';
import { comparisonJson, readCompareOptions, reportLines, type Sides, writeJunit } from './compare-report';

const NOTHING_COMPARED = 'Nothing could be compared: record both sessions with the page, which reads all lists.';

/** Compares two recordings. */
export const run: RunCommand = async ({ request, printText, printLines, printNote }) => {
  const how = readCompareOptions(request.given);
  const [one, other] = request.words as [string, string];
  const [before, after] = await Promise.all(request.words.map((file) => open(file, printNote)));
  const comparison = runToEnd(compareTraffic(before!, after!, how));
  const sides: Sides = [one, other, `${one} or ${other}`];
  if (request.given.has('json')) printText(comparisonJson(comparison));
  else printLines(reportLines(comparison, sides));
  await writeJunit(request.given, comparison, sides, `${one} → ${other}`);
  if (comparedNothing(comparison)) printNote(NOTHING_COMPARED);
  return isEqual(comparison) ? EXIT.fine : EXIT.serverError;
};

async function open(file: string, note: (line: string) => void) {
  const opened = await readTrafficFile(resolve(file)).catch((error) => {
    throw usageError(`\`${file}\` can’t be opened. ${openErrorText(error, 'after `diff`')}`);
  });
  for (const sentence of damageSentences(opened)) note(`${file}: ${sentence}`);
  return opened.traffic;
}
