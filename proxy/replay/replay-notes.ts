import { hasPlaceholder } from '@/lib/compare/placeholders';
import type { OpenedSession } from '@/lib/session/open-session';
import type { ClientMessage } from '@/lib/session/recorded-session';
import { damageNotes } from '../recorder/damage-notes';

/** What is replayed, and what is special about it, in sentences for the person who started it. */
export function replayNotes(opened: OpenedSession): readonly string[] {
  const { header, session } = opened;
  const calls = session.sent.filter(({ kind }) => kind === 'call').length;
  const version = session.version === undefined ? '' : `, ${session.version}`;
  return [
    `Replaying ${header.name || 'a server'}${version}, recorded ${header.at}: ${calls} request${calls === 1 ? '' : 's'}.`,
    ...damageNotes(opened),
    ...(session.sent.some(isRedacted)
      ? ['Secrets were taken out of it: its client gets placeholders in their place.']
      : []),
    ...(session.handshake ? [] : ['Its handshake is not in it, so one is made up from what is.']),
  ];
}

function isRedacted(message: ClientMessage): boolean {
  return message.kind === 'call' && message.answer !== undefined && hasPlaceholder(message.answer.text);
}
