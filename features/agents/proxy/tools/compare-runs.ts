import * as z from 'zod';
import { compareTraffic, summarise, summaryText, toolTokensText } from '@/lib/replay/compare/comparison';
import type { OpenedTraffic } from '@/lib/replay/traffic/open-traffic';
import { runInSlices } from '@/lib/wire/in-slices';
import { readCompareOptions, reportLines } from '@/proxy/commands/shared/compare-report';
import { openErrorText } from '@/proxy/recorder/open-file';
import { readTrafficFile } from '@/proxy/recorder/read-traffic';
import type { AgentRecording } from '../agent-recording';
import { AgentAnswer, quotedForAgent, UNTRUSTED } from '../answer';
import type { RecordedSource, RecordedSources } from '../recorded-sources';
import { ToolError } from '../tool-error';
import { CURSOR, defineTool, MAX_TOKENS, readCursor } from './tool';

/** Characters of a line of the comparison. */
const LINE_CHARS = 400;
/** Milliseconds for reading and comparing. Clients usually wait for a minute. */
const COMPARE_MS = 30_000;
/** Milliseconds for learning the secrets of each recording. */
const SECRETS_MS = 8000;

export const compareRuns = defineTool({
  name: 'compare_runs',
  title: 'Compare two runs',
  description: `Compares two recordings of a server, such as before and after a change: what it offers (tools, schemas, prompts, resources; breaking changes are marked) and its responses to the same calls. Times, ids and other values that differ in each run are ignored. Call it after a fix to see that only what should differ differs.`,
  input: z.object({
    before: z.string().max(300).describe('Name of a recording, or a part of it.'),
    after: z.string().max(300).describe('Name of another recording.'),
    cursor: CURSOR,
    max_tokens: MAX_TOKENS,
  }),
  async run({ before, after, cursor, max_tokens }, { sources, signal }) {
    const [one, other] = [await sources.find(before), await sources.find(after)];
    const from = readCursor(cursor);
    const stop = AbortSignal.any([signal, AbortSignal.timeout(COMPARE_MS)]);
    const [was, is] = [await traffic(one), await traffic(other)];
    try {
      const comparison = await runInSlices(
        compareTraffic(was.traffic, is.traffic, readCompareOptions(new Map())),
        stop,
      );
      if (!comparison) throw new ToolError('Comparing takes too long. Compare shorter recordings.');
      const lines = reportLines(comparison, [one.name, other.name, `${one.name} or ${other.name}`])
        .map((line) => line.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join(''))
        // The last line is the summary.
        .slice(0, -1);
      const answer = new AgentAnswer(max_tokens);
      answer.add(`Before: ${one.name}. After: ${other.name}. Frame numbers are those of each recording.`);
      answer.add([summaryText(summarise(comparison)), toolTokensText(comparison)].filter(Boolean).join(' '));
      if (lines.length > 0) answer.add(UNTRUSTED);
      const mask = await maskOf(sources, [one, other]);
      let at = from;
      while (at < lines.length && answer.add(quotedForAgent(mask(lines[at]!), LINE_CHARS))) at++;
      const more = at < lines.length ? `\n${lines.length - at} more lines: cursor "${at}".` : '';
      return { text: answer.text() + more };
    } finally {
      await Promise.all([was.close(), is.close()]);
    }
  },
});

/**
 * Returns a function that masks the secrets of these recordings. Throws a ToolError while one is not read to its end: a
 * secret may be named there, and the comparison has lines of all frames.
 */
async function maskOf(sources: RecordedSources, both: readonly RecordedSource[]): Promise<(text: string) => string> {
  const recordings: AgentRecording[] = [];
  for (const source of both) {
    const until = performance.now() + SECRETS_MS;
    const recording = await sources.open(source);
    if (!(await recording.readOn(() => performance.now() > until))) throw new ToolError(notRead(source.name));
    recordings.push(recording);
  }
  return (text) => recordings.reduce((masked, recording) => recording.mask(masked), text);
}

function notRead(name: string): string {
  return `\`${name}\` is not read to its end yet, so not all of its secrets are known. Call compare_runs again: reading goes on.`;
}

async function traffic({ path, name }: RecordedSource): Promise<OpenedTraffic> {
  try {
    return await readTrafficFile(path);
  } catch (error) {
    throw new ToolError(`The recording \`${name}\` can’t be read. ${openErrorText(error, 'of the recording')}`);
  }
}
