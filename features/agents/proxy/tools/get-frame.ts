import * as z from 'zod';
import { countOf } from '@/lib/wire/format';
import { problemsOf } from '../agent-recording';
import { AgentAnswer, UNTRUSTED } from '../answer';
import { rowLine, sessionLine } from '../describe';
import { problemText } from '../evidence/rules';
import { readFrameName } from '../frame-link';
import { ToolError } from '../tool-error';
import { defineTool, MAX_TOKENS, type OpenedSource, openSource, RECORDING, type ToolContext } from './tool';

/** Problems that are listed with a frame. */
const MOST_PROBLEMS = 5;
const PROBLEM_CHARS = 200;
/** Characters of a frame that is masked as a whole. Of a longer one, only the part that is shown. */
const MASKED_CHARS = 4_000_000;

/** The parameter that names a frame. */
export const FRAME_PARAMETER = z.string().max(700).describe('A frame as answers name it: "#12" or "RECORDING#12".');

export const getFrame = defineTool({
  name: 'get_frame',
  title: 'Get a frame',
  description: `Returns the whole text of one frame: a JSON-RPC message, a line of stderr, an HTTP header block or an event of the connection. Secrets are masked. A long frame is cut; offset goes on.
Use explain instead to understand a failure: it shows request, response and what surrounds them.`,
  input: z.object({
    frame: FRAME_PARAMETER,
    recording: RECORDING,
    offset: z.int().min(0).default(0).describe('Character to start at.'),
    max_tokens: MAX_TOKENS,
  }),
  async run({ frame, recording: given, offset, max_tokens }, context) {
    const place = readFrameName(frame, given);
    const opened = await openFrame(context, place.recording, place.seq);
    return { text: await frameText(opened, place.seq, { offset, most: max_tokens }) };
  },
});

/** Milliseconds for reading up to a frame. The index of a long recording finds it at once. */
const FRAME_MS = 4000;

/** Opens a recording to show one of its frames. Throws a ToolError. */
export function openFrame(context: ToolContext, recording: string | undefined, seq: number): Promise<OpenedSource> {
  return openSource(context, recording, { ms: FRAME_MS, seq });
}

/** Returns a frame as an answer: what it is, then its text from `offset` on. Throws a ToolError. */
export async function frameText(
  opened: OpenedSource,
  seq: number,
  { offset, most }: { readonly offset: number; readonly most: number },
): Promise<string> {
  const { recording, quote, isLate } = opened;
  const { log } = recording;
  const text = await recording.text(seq, isLate);
  if (text === undefined && seq > log.size)
    throw new ToolError(`${opened.name} has frames #1 to #${log.size}. ${opened.notes.join(' ')}`.trimEnd());
  if (text === undefined) throw new ToolError(`#${seq} can’t be read in time. Try again.`);
  const answer = new AgentAnswer(most);
  answer.add(sessionLine(opened));
  const row = seq > log.size ? undefined : log.row(seq - 1);
  answer.add(row ? rowLine(opened, seq) : `#${seq}, found by the index. Problems are known once all frames are read.`);
  if (row?.invalidUtf8) answer.add('It is not valid UTF-8; � stands for the invalid bytes.');
  for (const problem of problemsOf(recording, [seq]).slice(0, MOST_PROBLEMS))
    answer.add(
      `Problem ${problem.rule}: ${quote(problemText(problem), PROBLEM_CHARS)} ${quote(problem.advice, PROBLEM_CHARS)}`,
    );
  answer.add(`${countOf(text.length, 'character')}. ${UNTRUSTED}`);
  if (!recording.isWhole) answer.add(NOT_WHOLE);
  // A frame that was read before the name of a secret was known still has it. Masking a huge one again takes seconds.
  const masked = text.length > MASKED_CHARS ? text : recording.mask(text);
  const part = fittingPart(masked.slice(offset), answer, quote);
  answer.add(part.shown);
  const end = offset + part.length;
  const more = end < masked.length ? `\n${masked.length - end} more characters: offset ${end}.` : '';
  return answer.text() + more;
}

/** Said while later frames may still name a secret. */
const NOT_WHOLE =
  'The recording is not read to its end yet, so a secret that only a later frame names is not masked here.';

/** Returns as much of a text as fits into an answer. Escapes can make it several times as long. */
function fittingPart(text: string, answer: AgentAnswer, quote: OpenedSource['quote']) {
  for (let length = Math.min(text.length, answer.leftChars); ; length = Math.floor(length * 0.7)) {
    // Not in the middle of a surrogate pair.
    const part = text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
    const shown = quote(part, part.length, true);
    if (answer.fits(shown) || length < 10) return { shown, length: part.length };
  }
}
