import { type ChatState, textOf } from '@/lib/chat/chat-state';
import { usageError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import type { Line } from '@/proxy/cli/output';
import { partsText } from './chat-output';
import { readRecordedChat } from './read-recorded-chat';

/** Reads the chat to go on with. Rejects with an ExitError. */
export async function readResumed(file: string, context: Pick<CommandContext, 'status' | 'printNote'>) {
  const recorded = await readRecordedChat(file, '--resume', context);
  // Later frames name earlier ones by their numbers.
  if (!recorded.isWhole)
    throw usageError(`\`${file}\` has gaps, so the chat in it can’t go on. \`--replay\` still works.`);
  return recorded;
}

/** Characters of the last turns of a chat that goes on. */
const SHOWN_CHARS = 2000;

/** Returns the last message and its answer. */
export function lastTurns(state: ChatState, leaf: string): readonly Line[] {
  const texts = state
    .pathTo(leaf)
    .slice(-2)
    .map((turn) => (turn.kind === 'user' ? `> ${partsText(turn.parts)}` : textOf(turn)));
  const text = texts.join('\n');
  return text
    .slice(-SHOWN_CHARS)
    .split('\n')
    .map((line): Line => [{ text: line, tone: 'muted' }]);
}
