import { type Comparison, comparedNothing, isEqual, summarise } from '@/lib/replay/compare/comparison';
import type { OpenedTraffic } from '@/lib/replay/traffic/open-traffic';
import type { ExitCode } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import { exitOnInterrupt } from '@/proxy/cli/signals';
import {
  compareWithStatus,
  comparisonCases,
  comparisonReport,
  readCompareOptions,
  reportLines,
  type SideNames,
  tokensLines,
} from '@/proxy/commands/shared/compare-report';
import { openTrafficIn } from '@/proxy/commands/shared/open-traffic';
import type { LocalFile } from '@/proxy/commands/shared/recording-files';
import { checkSentences, damageSentences } from '@/proxy/recorder/read-traffic';
import { type Diff, endDiff } from './end-diff';
import { type DiffGates, failingChanges, isBroken, readGates } from './gates';

const NOTHING_COMPARED = 'Nothing could be compared: record both sessions with the page, which reads all lists.';

/** Compares two recordings. Rejects with an ExitError. */
export async function diffRecordings(one: LocalFile, other: LocalFile, context: CommandContext): Promise<ExitCode> {
  const { request, printNote, status } = context;
  const [how, gates] = [readCompareOptions(request.given), readGates(request.given)];
  const goOn = exitOnInterrupt(() => {
    status.end();
    printNote('mcp-inspect: Cancelled. Nothing was compared.');
  });
  const [before, after] = [await openRecording(one, context), await openRecording(other, context)];
  const comparison = await compareWithStatus(before.traffic, after.traffic, how, status);
  goOn();
  const diff = diffOf(
    `${one.shown} → ${other.shown}`,
    comparison,
    [one.shown, other.shown, `${one.shown} or ${other.shown}`],
    gates,
  );
  const code = await endDiff(diff, gates, context);
  if (comparedNothing(comparison)) printNote(NOTHING_COMPARED);
  await printDamage(one.shown, before, printNote);
  if (other.path !== one.path) await printDamage(other.shown, after, printNote);
  await Promise.all([before.close(), after.close()]);
  return code;
}

/** Describes a comparison. The test cases fail only for what the gates are about. */
export function diffOf(title: string, comparison: Comparison, sides: SideNames, gates: DiffGates): Diff {
  const lines = reportLines(comparison, sides);
  const { calls } = comparison;
  const failing: Comparison = {
    ...comparison,
    catalogue: failingChanges(comparison, gates),
    calls: gates.onChange ? calls : calls.filter((call) => isBroken(call) || call.verdict === 'same'),
  };
  return {
    title,
    facts: {
      isEqual: isEqual(comparison),
      comparedNothing: comparedNothing(comparison),
      breaking: summarise(comparison).breaking,
      broken: calls.filter(isBroken).length,
      tokens: comparison.tokens,
    },
    // The last line is the summary.
    lines: [...lines.slice(0, -1), ...tokensLines(comparison), ...lines.slice(-1)],
    json: comparisonReport(comparison),
    cases: comparisonCases(failing, sides),
  };
}

/** Checks a file that was read by its index only. */
async function printDamage(file: string, { check }: OpenedTraffic, printNote: CommandContext['printNote']) {
  for (const sentence of check ? checkSentences(await check()) : []) printNote(`${file}: ${sentence}`);
}

/** Opens a recording, and shows how far it is read. Rejects with an ExitError. */
export async function openRecording(
  file: LocalFile,
  { status, printNote }: Pick<CommandContext, 'status' | 'printNote'>,
): Promise<OpenedTraffic> {
  const opened = await openTrafficIn(file, 'after `diff`', { status });
  for (const sentence of damageSentences(opened)) printNote(`${file.shown}: ${sentence}`);
  return opened;
}
