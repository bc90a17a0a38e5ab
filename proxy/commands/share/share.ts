import { basename } from 'node:path';
import { setsOf } from '@/lib/redact/findings';
import type { ReviewedSource } from '@/lib/sharing/review-source';
import { type FrameSelection, isSelected } from '@/lib/sharing/selection';
import type { ShareSource } from '@/lib/sharing/share-job';
import { docsUrl } from '@/lib/wire/docs-url';
import { countOf } from '@/lib/wire/format';
import type { Frame } from '@/lib/wire/frame';
import { choiceOf } from '@/proxy/cli/choice';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, type CommandRequest, lastValue, type RunCommand } from '@/proxy/cli/grammar';
import { runningSha256, sha256Of } from '@/proxy/files/native-codecs';
import { namedFile } from '../shared/file-access';
import { terminalJson } from '../shared/format-content';
import { readFrames } from '../shared/frame-range';
import { type OutputChoice, readOutputChoice } from '../shared/output-options';
import { exitingOnInterrupt } from '../shared/until-interrupted';
import { openReviewed, WHOLE } from './automatic-copy';
import type { FileSource } from './file-source';
import {
  findingsJson,
  patternsText,
  policyText,
  readChoices,
  reviewTable,
  sharedFactsText,
  uncheckedTexts,
} from './share-choices';
import { SHARE_FORMS, writePage, writeShared } from './share-outputs';
import { readPolicy } from './share-policy';

/** Shares a recording with its secrets masked. */
export const run: RunCommand = (context) =>
  exitingOnInterrupt(context, async () => {
    const { request } = context;
    const { given, words } = request;
    const chosen = readSelection(request);
    const isAsked = ['format', 'out'].some((name) => given.has(name));
    if (!isAsked && !given.has('review')) {
      throw usageError('No output is named: add `--out FILE`, `--format`, or `--review`.');
    }
    const output = isAsked ? readShareOutput(given) : undefined;
    const policy = await readPolicy(lastValue(given, 'policy'));
    const { path, shown } = await namedFile(words[0]!, context);
    const { source, looked } = await openReviewed(path, chosen, context.status, { shown });
    try {
      return await shareFrom(source, looked, { chosen, output, policy, name: basename(path) }, context);
    } finally {
      await source.close();
    }
  });

function readShareOutput(given: CommandRequest['given']): OutputChoice {
  const forms = Object.fromEntries(Object.entries(SHARE_FORMS).map(([form, { ends }]) => [form, ends]));
  const output = readOutputChoice(given, forms, undefined);
  const { needsFile, ends } = SHARE_FORMS[output.format]!;
  if (output.out === undefined && (needsFile || given.has('json'))) {
    const why = needsFile ? `\`--format ${output.format}\` needs a file` : '`--json` is about the file that is written';
    throw usageError(`${why}: add \`--out NAME${ends[0]}\`.`);
  }
  if (output.format === 'link' && !given.has('page.url')) {
    throw usageError(
      `\`--format link\` needs a page that opens the recording: host one (${docsUrl('hosting')}), and add its address with \`--page url=URL\`.`,
    );
  }
  return output;
}

interface WantedShare {
  readonly chosen: FrameSelection;
  readonly output: OutputChoice | undefined;
  readonly policy: Awaited<ReturnType<typeof readPolicy>>;
  /** Name of the file. */
  readonly name: string;
}

/** Prints the review and writes the output. Throws an ExitError. */
async function shareFrom(
  source: FileSource,
  looked: ReviewedSource,
  { chosen, output, policy, name }: WantedShare,
  context: CommandContext,
): Promise<ExitCode> {
  const { request, version } = context;
  const [review, json] = [request.given.has('review'), request.given.has('json')];
  const { review: reviewed, of, selection } = looked;
  if ((chosen.from ?? 1) > of) {
    throw usageError(`\`--frames ${lastValue(request.given, 'frames')}\` is beyond the end: the last frame is ${of}.`);
  }
  if (chosen.to !== undefined && chosen.to > of) {
    const { from = 1 } = chosen;
    context.printNote(`The recording has ${countOf(of, 'frame')}, so frames ${from} to ${of} were chosen.`);
  }
  const findings = reviewed.findings();
  const choices = readChoices(request, reviewed, looked.facts, policy);
  // Patterns that can't be used fail before anything is written.
  choices.redaction(reviewed);
  if (review && !json) {
    const facts = sharedFactsText(looked.facts, setsOf(findings.list).length, choices.dropped);
    const patterns = await patternsText(choices, () => chosenFrames(source, selection));
    context.printText(reviewTable(findings, choices, process.stdout.columns) + facts + patterns);
  }
  for (const sentence of source.notes) context.printNote(sentence);
  if (policy && choices.keptByPolicy.length > 0) context.printNote(policyText(policy.file, choices.keptByPolicy));
  if (!review) for (const sentence of uncheckedTexts(findings)) context.printNote(sentence);
  const left = choices.open.length + findings.unlisted + findings.unchecked;
  if (request.given.get('mask')?.includes('strict') && left > 0) {
    if (!review) {
      const { list } = findings;
      const listed = { list, unlisted: 0, unchecked: 0 };
      context.printNote(reviewTable(listed, choices, process.stderr.columns, choices.open));
    }
    context.printNote(
      `${countOf(left, 'possible secret')} left, so nothing was written. Decide with --mask, --keep or a policy.`,
    );
    return EXIT.serverError;
  }
  const redaction = choices.redaction(reviewed);
  let bytes: number | undefined;
  if (output) {
    const copy = { selection, of, redaction, dropped: choices.dropped, by: `mcp-inspect/${version}` };
    const form = { ...copy, contentDigest: sha256Of };
    bytes = await writeShared(output, { source, form, digest: runningSha256(), name, run: context });
    if (redaction.count > 0) context.printNote(`${countOf(redaction.count, 'place')} masked.`);
  }
  const kept = findings.list.filter((finding) => finding.kind === 'secret' && choices.decisionOf(finding) === 'keep');
  if (output && kept.length > 0) {
    context.printNote(`${countOf(kept.length, 'possible secret')} kept; --review lists them.`);
  }
  if (json) {
    const file = output && { format: output.format, file: output.out, bytes, masked: redaction.count };
    context.printText(terminalJson({ ...file, undecided: left, findings: findingsJson(findings, choices) }));
  }
  return EXIT.fine;
}

/** Writes a recording as a page that opens on a panel, with what `share` masks by itself. Throws as `share` does. */
export async function sharePage(file: string, path: string, panel: string, context: CommandContext): Promise<void> {
  const request: CommandRequest = { command: 'share', words: [file], given: new Map(), server: [] };
  const { source, looked } = await openReviewed(file, WHOLE, context.status);
  try {
    const { review, of, selection, facts } = looked;
    const choices = readChoices(request, review, facts, await readPolicy(undefined));
    const copy = { selection, of, redaction: choices.redaction(review), dropped: choices.dropped };
    const form = { ...copy, by: `mcp-inspect/${context.version}`, contentDigest: sha256Of };
    const shared = { source, form, digest: runningSha256(), name: basename(file), run: { ...context, request } };
    await writePage(path, shared, panel);
  } finally {
    await source.close();
  }
}

async function* chosenFrames(source: ShareSource, selection: FrameSelection): AsyncGenerator<Frame> {
  for await (const frame of source.frames(selection)) if (isSelected(selection, frame)) yield frame;
}

const CHANNELS = ['stderr', 'http', 'otel'] as const;

function readSelection({ given }: CommandRequest): FrameSelection {
  return {
    ...readFrames(given),
    without: (given.get('without') ?? []).map((word) => choiceOf('--without', word, CHANNELS)),
  };
}
