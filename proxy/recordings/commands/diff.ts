import { resolve } from 'node:path';
import { compareSessions, isEqual } from '@/lib/compare/compare-sessions';
import { atOnce } from '@/lib/wire/in-slices';
import { comparisonJson } from '../../comparing/comparison-json';
import { readComparing } from '../../comparing/read-comparing';
import { reportLines } from '../../comparing/report';
import { EXIT, usage } from '../../headless/exit-code';
import { openFailure } from '../../recorder/open-failure';
import { damageNotes } from '../damage-notes';
import type { FileSubcommand } from '../file-subcommand';
import { readSession } from '../read-session';

/** Compares two recordings. */
export const diff: FileSubcommand = async ({ request, say, print, note }) => {
  const how = readComparing(request.given);
  const [before, after] = await Promise.all(request.words.map((file) => open(file, note)));
  const comparison = atOnce(compareSessions(before!, after!, how));
  if (request.given.has('json')) say(comparisonJson(comparison));
  else print(reportLines(comparison, [request.words[0]!, request.words[1]!]));
  return isEqual(comparison) ? EXIT.fine : EXIT.serverError;
};

async function open(file: string, note: (line: string) => void) {
  const opened = await readSession(resolve(file)).catch((error) => {
    throw usage(`\`${file}\` can’t be opened. ${openFailure(error, 'after `diff`')}`);
  });
  for (const sentence of damageNotes(opened)) note(`${file}: ${sentence}`);
  return opened.session;
}
