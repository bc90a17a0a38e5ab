import { resolve } from 'node:path';
import { junitXml } from '@/lib/check/junit-xml';
import { comparedNothing, isEqual } from '@/lib/replay/compare/comparison';
import type { OpenedTraffic } from '@/lib/replay/traffic/open-traffic';
import { progressText } from '@/lib/wire/format';
import { EXIT, usageError } from '@/proxy/cli/exit-code';
import type { CommandContext, RunCommand } from '@/proxy/cli/grammar';
import { exitOnInterrupt } from '@/proxy/cli/signals';
import { openErrorText } from '@/proxy/recorder/open-file';
import { checkSentences, damageSentences, readTrafficFile } from '@/proxy/recorder/read-traffic';
import {
  compareWithStatus,
  comparisonCases,
  comparisonReport,
  readCompareOptions,
  reportLines,
  type Sides,
} from './shared/compare-report';
import { terminalJson } from './shared/format-content';
import { writeReports } from './shared/report-files';

const NOTHING_COMPARED = 'Nothing could be compared: record both sessions with the page, which reads all lists.';

/** Compares two recordings. */
export const run: RunCommand = async (context) => {
  const { request, printText, printLines, printNote, status } = context;
  const how = readCompareOptions(request.given);
  const [one, other] = request.words as [string, string];
  const goOn = exitOnInterrupt(() => {
    status.end();
    printNote('mcp-inspect: Cancelled. Nothing was compared.');
  });
  const [before, after] = [await open(one, context), await open(other, context)];
  const comparison = await compareWithStatus(before.traffic, after.traffic, how, status);
  goOn();
  const sides: Sides = [one, other, `${one} or ${other}`];
  if (request.given.has('json')) printText(terminalJson(comparisonReport(comparison)));
  else printLines(reportLines(comparison, sides));
  await writeReports(request.given, 'junit', () =>
    junitXml([{ name: `${one} → ${other}`, cases: comparisonCases(comparison, sides) }]),
  );
  if (comparedNothing(comparison)) printNote(NOTHING_COMPARED);
  await printDamage(one, before, printNote);
  if (other !== one) await printDamage(other, after, printNote);
  await Promise.all([before.close(), after.close()]);
  return isEqual(comparison) ? EXIT.fine : EXIT.serverError;
};

/** Checks a file that was read by its index only. */
async function printDamage(file: string, { check }: OpenedTraffic, printNote: CommandContext['printNote']) {
  for (const sentence of check ? checkSentences(await check()) : []) printNote(`${file}: ${sentence}`);
}

async function open(file: string, { status, printNote }: CommandContext): Promise<OpenedTraffic> {
  const opened = await readTrafficFile(resolve(file), {
    onRead: (progress) => status.show(`Reading ${file}: ${progressText(progress)}`),
  }).catch((error) => {
    throw usageError(`\`${file}\` can’t be opened. ${openErrorText(error, 'after `diff`')}`);
  });
  for (const sentence of damageSentences(opened)) printNote(`${file}: ${sentence}`);
  return opened;
}
