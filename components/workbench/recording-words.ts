import { formatCount } from '@/components/ui/format';
import { CHANGED_WORDS, renumberedWords, withoutBlobWords } from '@/lib/recording/damage-words';
import { lacksWords } from '@/lib/recording/lacks-words';
import { LIMITS } from '@/lib/wire/limits';
import type { RecordingFacts, SelectionFacts } from '@/lib/wire/recording-facts';

/** What is special about a recording, one sentence each; nothing if it is whole. `inFile`: the page is its viewer, and saves it. */
export function recordingWords(
  { newer, report, failure, unsaved, selection, lacks, checking, indexIgnored }: RecordingFacts,
  inFile = false,
): readonly string[] {
  const words: string[] = selection ? [partWords(selection)] : [];
  if (lacks) words.push(lacksWords(lacks));
  if (newer !== undefined) {
    words.push(`It has version ${newer} of the format, which is newer than this mcp-inspect: update to see all of it.`);
  }
  if (failure !== undefined) words.push(failure);
  if (indexIgnored) words.push('Its index does not say what its lines say, so it was read line by line.');
  if (!report)
    return [...words, checking ? 'Its lines are still being checked against its index.' : 'It is still being read.'];
  const { ended, complete, torn, damaged, withoutBlob, missing, unknown, changed } = report;
  if (changed) words.push(CHANGED_WORDS);
  if (!ended) {
    words.push(torn ? 'It is incomplete: its last line was cut off.' : WITHOUT_END);
  }
  if (damaged.count > 0) {
    const numbers = damaged.lines.join(', ') + (damaged.count > damaged.lines.length ? ' …' : '');
    words.push(
      damaged.count === 1
        ? `Line ${numbers} is damaged and left out.`
        : `${formatCount(damaged.count)} lines are damaged and left out: ${numbers}.`,
    );
    if (withoutBlob > 0) words.push(withoutBlobWords(withoutBlob));
  }
  if (missing > 0) words.push(missing === 1 ? 'One frame is missing.' : `${formatCount(missing)} frames are missing.`);
  if (report.renumberedFrom !== undefined) words.push(renumberedWords(report.renumberedFrom));
  if (ended && !complete && damaged.count === 0 && missing === 0) {
    words.push('Its end tells of another number of frames than there are.');
  }
  if (report.forgotten) words.push(forgottenWords(report.forgotten));
  if (unsaved !== undefined) words.push(`Your notes are not in the file. ${inFile ? SAVED_ANEW : unsaved}`);
  if (unknown > 0) {
    words.push(
      unknown === 1
        ? 'One line is of a kind that is not known here.'
        : `${formatCount(unknown)} lines are of kinds that are not known here.`,
    );
  }
  return words;
}

/** Of a file that was opened nobody knows whether it is still written. */
const WITHOUT_END =
  'It has no end: it was still being written when it was opened, or whoever wrote it was ended before.';

const SAVED_ANEW = 'Save recording makes one that has them.';

/** That secrets were taken out, which is as it should be; undefined if none were. */
export function redactionWords({ policy = '', report }: RecordingFacts): string | undefined {
  if (!report || report.masked === 0) return undefined;
  const places = report.masked === 1 ? 'one place is' : `${formatCount(report.masked)} places are`;
  return `Secrets were taken out${policy.startsWith('share/') ? ' before it was shared' : ' while it was recorded'}: ${places} masked.`;
}

function forgottenWords(forgotten: number): string {
  const them = forgotten === 1 ? 'The oldest of them was' : `The oldest ${formatCount(forgotten)} of them were`;
  return `More than ${formatCount(LIMITS.redactedValues)} different secrets were taken out. ${them} not looked for to the end: look for them before you give it away.`;
}

function partWords({ of, from, to, without, also = 0 }: SelectionFacts): string {
  const left = without.length > 0 ? ` without ${without.join(' and ')}` : '';
  const part = from === 1 && to === of ? 'all' : `${formatCount(from)} to ${formatCount(to)}`;
  const more =
    also > 0
      ? `, and ${also === 1 ? 'one frame' : `${formatCount(also)} frames`} besides that the handshake, lists and exchanges need to be whole`
      : '';
  return `It is a part of a recording of ${formatCount(of)} frames: ${part}${left}, numbered anew${more}.`;
}
