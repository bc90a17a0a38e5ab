import { memo, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { FIELD } from '@/components/ui/inputs';
import type { ChatPart } from '@/features/chat/lib/chat-frame';
import type { UserTurn } from '@/features/chat/lib/chat-state';
import { useDraft } from '@/lib/hooks/drafts';
import { QUIET } from './answer-view';
import { type BranchPlace, BranchSwitch } from './branch-switch';
import { Parts } from './parts';
import type { ChatActions } from './use-chat-actions';

interface UserTurnViewProps extends BranchPlace {
  readonly turn: UserTurn;
  readonly version: number;
  readonly actions: ChatActions | undefined;
  /** Shows the newest branch from a turn on; undefined for the newest first message. */
  readonly onShow: (turn: string | undefined) => void;
}

/** A person's message, which can be changed into a branch beside it. */
export const UserTurnView = memo(function UserTurnView(props: UserTurnViewProps) {
  const { turn, actions, onShow } = props;
  const [editing, setEditing] = useDraft<boolean>(`chat-editing:${draftKey(turn)}`, false);
  // A turn is drawn again when it comes back into view, and must not take the focus then.
  const pressed = useRef(false);
  const { parts, parent } = turn;
  return (
    <article aria-label="Your message" className="min-w-0 py-2">
      <header className="flex min-h-6 items-center gap-x-2 text-small text-muted">
        <span className="font-medium text-text">You</span>
        <span className="flex-1" />
        <BranchSwitch place={props.place} earlier={props.earlier} later={props.later} onShow={onShow} />
        {actions && !editing && (
          <Button
            size="small"
            variant="ghost"
            className={`-mr-1.5 ${QUIET}`}
            onClick={() => {
              pressed.current = true;
              setEditing(true);
            }}
          >
            Edit
          </Button>
        )}
      </header>
      {editing && actions ? (
        <Editor
          turn={turn}
          focuses={pressed.current}
          onSend={async (text) => {
            const next = [...(text === '' ? [] : [{ type: 'text', text } as const]), ...parts.filter(isAttached)];
            if (next.length === 0 || !(await actions.send(next, parent))) return;
            setEditing(false);
            onShow(parent);
          }}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <div className="flex min-w-0 flex-col gap-1 border-l-2 border-accent/40 pl-3">
          <Parts parts={parts} plain />
        </div>
      )}
    </article>
  );
});

/** Characters of a message that tell its draft from those of other chats. */
const KEY_CHARS = 100;

function draftKey({ id, parts: [first] }: UserTurn): string {
  return `${id} ${first?.type === 'text' ? first.text.slice(0, KEY_CHARS) : ''}`;
}

function isAttached(part: ChatPart, index: number): boolean {
  return part.type !== 'text' || index > 0;
}

function Editor({
  turn,
  focuses,
  onSend,
  onCancel,
}: {
  readonly turn: UserTurn;
  readonly focuses: boolean;
  readonly onSend: (text: string) => Promise<void>;
  readonly onCancel: () => void;
}) {
  const first = turn.parts[0];
  const before = first?.type === 'text' ? first.text : '';
  const [text, setText] = useDraft<string>(`chat-edit:${draftKey(turn)}`, before);
  return (
    <form
      className="flex min-w-0 flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void onSend(text);
      }}
    >
      <textarea
        aria-label="Changed message"
        // The person pressed the button to type here.
        // biome-ignore lint/a11y/noAutofocus: see above
        autoFocus={focuses}
        rows={Math.min(12, Math.max(3, text.split('\n').length))}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.preventDefault();
            onCancel();
          } else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault();
            void onSend(text);
          }
        }}
        className={`${FIELD} h-auto resize-y py-1`}
      />
      <div className="flex gap-1">
        <Button type="submit" variant="primary">
          Send as a branch
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
