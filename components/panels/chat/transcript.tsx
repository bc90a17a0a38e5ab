import { useLayoutEffect, useRef } from 'react';
import type { ChatState, ChatTurn } from '@/lib/chat/chat-state';
import { AnswerView } from './answer-view';
import { branchPlace } from './branch-switch';
import type { ChatActions } from './use-chat-actions';
import { UserTurnView } from './user-turn';

interface TranscriptProps {
  readonly state: ChatState;
  readonly path: readonly ChatTurn[];
  /** Changes with the chat, whose turns change in place. */
  readonly version: number;
  readonly actions: ChatActions | undefined;
  /** The turn whose requests are shown beside the chat. */
  readonly viewed: string | undefined;
  readonly onView: (turn: string) => void;
  /** Shows the branch with this turn: up to its newest end, or only to the turn. */
  readonly onShow: (turn: string | undefined, only?: boolean) => void;
}

/** Pixels from the end within which new text keeps the end in view. */
const NEAR_END = 40;

/** The turns of one branch. Those out of view cost no layout. */
export function Transcript({ state, path, version, actions, viewed, onView, onShow }: TranscriptProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end moves with the version
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && follows.current) element.scrollTop = element.scrollHeight;
  }, [version, path.length]);
  return (
    <div
      ref={scroller}
      role="log"
      aria-label="Chat"
      // A scrolled region must be reachable by keyboard.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < NEAR_END;
      }}
      className="min-h-0 flex-1 overflow-auto px-3"
    >
      <div className="mx-auto flex max-w-[860px] flex-col">
        {path.map((turn, index) => {
          const branch = branchPlace(state, turn);
          return (
            <div key={turn.id} className="[contain-intrinsic-size:auto_120px] [content-visibility:auto]">
              {turn.kind === 'user' ? (
                <UserTurnView turn={turn} version={turn.version} actions={actions} {...branch} onShow={onShow} />
              ) : (
                <AnswerView
                  turn={turn}
                  version={turn.version}
                  actions={actions}
                  isLast={index === path.length - 1}
                  {...branch}
                  onShow={onShow}
                  viewed={viewed === turn.id}
                  onView={onView}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
