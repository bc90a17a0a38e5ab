import { resolve } from 'node:path';
import { type FrameSelection, isSelected } from '@/lib/recording/frame-selection';
import { type LookedThrough, lookThrough } from '@/lib/sharing/look-through';
import type { ShareSource } from '@/lib/sharing/share-source';
import type { Frame } from '@/lib/wire/frame';
import { EXIT, usage } from '../../cli/exit-code';
import { openFailure } from '../../recorder/open-failure';
import { runningSha256, sha256Of } from '../../recorder/sha256';
import type { FileRequest } from '../file-request';
import { type FileSource, fileSource } from '../file-source';
import type { FileRun, FileSubcommand } from '../file-subcommand';
import { factsText, patternsText, readChoices, reviewText } from './share-choices';
import { SHARE_OUTPUTS } from './share-outputs';

/** Writes a recording anew, to be given away, without what must not leave. */
export const share: FileSubcommand = async (run) => {
  const { request, version } = run;
  const chosen = readSelection(request);
  const outputs = SHARE_OUTPUTS.flatMap((output) => {
    const value = request.given.get(output.option)?.at(-1);
    return value === undefined ? [] : [{ output, value }];
  });
  const review = request.given.has('review');
  if (outputs.length === 0 && !review) {
    throw usage(
      'Nothing says where it goes: add `--out`, `--html`, `--link`, `--md`, `--har`, `--mermaid` or `--review`.',
    );
  }
  for (const { output, value } of outputs) output.check(value);
  const { source, looked } = await open(request.words[0]!, chosen, run.progress);
  const { review: reviewed, of, selection } = looked;
  if ((chosen.from ?? 1) > of) {
    throw usage(`\`--frames ${request.given.get('frames')?.at(-1)}\` is beyond the end: the last frame is ${of}.`);
  }
  const findings = reviewed.findings();
  const choices = readChoices(request, findings, looked.facts);
  // What can't be done is told before anything is, even if nothing is made.
  choices.redaction(reviewed);
  if (review) {
    const facts = factsText(looked.facts, findings.list.length, choices.dropped);
    const patterns = await patternsText(choices, () => chosenFrames(source, selection));
    run.say(reviewText(findings, choices, process.stdout.columns) + facts + patterns);
  }
  for (const sentence of source.notes) run.note(sentence);
  for (const { output, value } of outputs) {
    const redaction = choices.redaction(reviewed);
    const form = { selection, of, redaction, dropped: choices.dropped, by: `mcp-inspect/${version}` };
    await output.write(value, { source, form: { ...form, contentDigest: sha256Of }, digest: runningSha256(), run });
    const { count } = redaction;
    if (count > 0) run.note(`${count} ${count === 1 ? 'place' : 'places'} masked; --review says which.`);
  }
  const kept = findings.list.filter((finding) => finding.kind === 'secret' && choices.decisionOf(finding) === 'keep');
  if (outputs.length > 0 && kept.length > 0) {
    run.note(`${kept.length} possible ${kept.length === 1 ? 'secret' : 'secrets'} kept; --review lists them.`);
  }
  return EXIT.fine;
};

/** Reads all of it once: what can't be read is told before anything is made. */
async function open(
  file: string,
  selection: FrameSelection,
  onRead: FileRun['progress'],
): Promise<{ source: FileSource; looked: LookedThrough }> {
  try {
    const source = await fileSource(resolve(file), onRead);
    return { source, looked: await lookThrough(source, selection) };
  } catch (error) {
    throw usage(`\`${file}\` can’t be opened. ${openFailure(error, 'after `share`')}`);
  }
}

async function* chosenFrames(source: ShareSource, selection: FrameSelection): AsyncGenerator<Frame> {
  for await (const frame of source.frames()) if (isSelected(selection, frame)) yield frame;
}

function readSelection({ given }: FileRequest): FrameSelection {
  const range = given.get('frames')?.at(-1);
  const [, from, to] = /^(\d{1,15})?-(\d{1,15})?$/.exec(range ?? '-') ?? [];
  const ends = { ...(from !== undefined && { from: Number(from) }), ...(to !== undefined && { to: Number(to) }) };
  const empty = Object.keys(ends).length === 0 || (ends.from ?? 1) > (ends.to ?? Number.POSITIVE_INFINITY);
  if (range !== undefined && empty) {
    throw usage(`\`--frames ${range}\` is no range: write \`--frames 10-40\`, \`10-\` or \`-40\`.`);
  }
  return { ...ends, without: (['stderr', 'http'] as const).filter((channel) => given.has(`no-${channel}`)) };
}
