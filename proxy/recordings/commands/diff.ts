import { resolve } from 'node:path';
import { comparedNothing, compareSessions, isEqual } from '@/lib/compare/compare-sessions';
import { atOnce } from '@/lib/wire/in-slices';
import { EXIT, usage } from '../../cli/exit-code';
import { comparisonJson } from '../../comparing/comparison-json';
import { readComparing } from '../../comparing/read-comparing';
import { reportLines, type Sides } from '../../comparing/report';
import { writeJunit } from '../../comparing/write-junit';
import { damageNotes } from '../../recorder/damage-notes';
import { openFailure } from '../../recorder/open-failure';
import { readSession } from '../../recorder/read-session';
import type { FileSubcommand } from '../file-subcommand';

const NOTHING_COMPARED = 'Nothing could be compared: record both sessions with the page, which reads all lists.';

/** Compares two recordings. */
export const diff: FileSubcommand = async ({ request, say, print, note }) => {
  const how = readComparing(request.given);
  const [one, other] = request.words as [string, string];
  const [before, after] = await Promise.all(request.words.map((file) => open(file, note)));
  const comparison = atOnce(compareSessions(before!, after!, how));
  const sides: Sides = [one, other, `${one} or ${other}`];
  if (request.given.has('json')) say(comparisonJson(comparison));
  else print(reportLines(comparison, sides));
  await writeJunit(request.given, comparison, sides, `${one} → ${other}`);
  if (comparedNothing(comparison)) note(NOTHING_COMPARED);
  return isEqual(comparison) ? EXIT.fine : EXIT.serverError;
};

async function open(file: string, note: (line: string) => void) {
  const opened = await readSession(resolve(file)).catch((error) => {
    throw usage(`\`${file}\` can’t be opened. ${openFailure(error, 'after `diff`')}`);
  });
  for (const sentence of damageNotes(opened)) note(`${file}: ${sentence}`);
  return opened.session;
}
