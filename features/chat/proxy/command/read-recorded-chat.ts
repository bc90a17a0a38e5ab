import type { ChatEvent } from '@/features/chat/lib/chat-frame';
import { ChatState, writtenText } from '@/features/chat/lib/chat-state';
import { chatEventIn } from '@/features/chat/lib/event-frames';
import { usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, lastValue, type ParsedOptions } from '@/proxy/cli/grammar';
import type { Line } from '@/proxy/cli/output';
import { namedFile } from '@/proxy/commands/shared/file-access';
import { openTrafficIn } from '@/proxy/commands/shared/open-traffic';
import { damageSentences } from '@/proxy/recorder/read-traffic';
import { partsText } from './chat-output';

/** A chat of a recording. */
interface RecordedChat {
  readonly state: ChatState;
  readonly events: readonly ChatEvent[];
  /** The last turn of its newest branch. */
  readonly leaf: string;
  /** Each event has the number that its frame has, as in a recording without gaps. */
  readonly isWhole: boolean;
}

/** Reads the chat in a recording. `option` is the one that named the file. Rejects with an ExitError. */
export async function readRecordedChat(file: string, option: string, context: CommandContext): Promise<RecordedChat> {
  const { status, printNote } = context;
  const state = new ChatState();
  const events: ChatEvent[] = [];
  let isWhole = true;
  const opened = await openTrafficIn(await namedFile(file, context), `after \`${option}\``, {
    status,
    through: (frame) => {
      const event = chatEventIn(frame);
      if (event) {
        state.apply(event, frame.seq);
        isWhole &&= events.push(event) === frame.seq;
      }
      return frame;
    },
  });
  for (const sentence of damageSentences(opened)) printNote(`mcp-inspect: ${sentence}`);
  await opened.close();
  const leaf = state.leafFrom();
  if (leaf === undefined)
    throw usageError('The recording has no chat: give one that `mcp-inspect chat --record` made.');
  return { state, events, leaf, isWhole };
}

/** Reads the chat to go on with. Rejects with an ExitError. */
export async function readResumed(file: string, context: CommandContext) {
  const recorded = await readRecordedChat(file, '--resume', context);
  // Later frames name earlier ones by their numbers.
  if (!recorded.isWhole)
    throw usageError(`\`${file}\` has gaps, so the chat in it can’t go on. \`--model recorded:FILE\` still works.`);
  return recorded;
}

/** Characters of the last turns of a chat that goes on. */
const SHOWN_CHARS = 2000;

/** Returns the last message and its answer. */
export function lastTurns(state: ChatState, leaf: string): readonly Line[] {
  const texts = state
    .pathTo(leaf)
    .slice(-2)
    .map((turn) => (turn.kind === 'user' ? `> ${partsText(turn.parts)}` : writtenText(turn)));
  const text = texts.join('\n');
  return text
    .slice(-SHOWN_CHARS)
    .split('\n')
    .map((line): Line => [{ text: line, tone: 'muted' }]);
}

/** Returns the file of `--model recorded:FILE`, whose chat runs again. */
export function replayedFile(given: ParsedOptions): string | undefined {
  return /^recorded:(.+)$/s.exec(lastValue(given, 'model') ?? '')?.[1];
}
