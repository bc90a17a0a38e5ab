import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { ChatState, ChatTurn } from '@/features/chat/lib/chat-state';
import type { Log } from '@/lib/store/log';
import { AnswerView } from './answer-view';
import { branchPlace } from './branch-switch';
import { SamplingTurnView } from './sampling-turn';
import { turnWindow, USUAL_HEIGHT } from './turn-window';
import type { ChatActions } from './use-chat-actions';
import { UserTurnView } from './user-turn';

interface TranscriptProps {
  readonly log: Log;
  readonly state: ChatState;
  /** The turns of a branch, and the completions for servers. */
  readonly turns: readonly ChatTurn[];
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

/** The turns of one branch. Only those near the view are drawn. */
export function Transcript({ log, state, turns, version, actions, viewed, onView, onShow }: TranscriptProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const [view, setView] = useState({ top: Number.POSITIVE_INFINITY, height: 800 });
  const heights = useRef(new Map<string, number>());
  const [, render] = useState(0);
  const heightAt = (index: number) => heights.current.get(turns[index]!.id) ?? USUAL_HEIGHT;
  const { first, last, above, below } = turnWindow(turns.length, heightAt, {
    // The end is drawn before it is scrolled to.
    top: follows.current ? Number.POSITIVE_INFINITY : view.top,
    height: view.height,
  });
  const onHeight = useCallback((turn: string, height: number) => {
    if (heights.current.get(turn) === height) return;
    heights.current.set(turn, height);
    const element = scroller.current;
    if (element && follows.current) element.scrollTop = element.scrollHeight;
    else render((count) => count + 1);
  }, []);
  const measure = useCallback(() => {
    const { scrollTop, clientHeight } = scroller.current!;
    setView((now) =>
      now.top === scrollTop && now.height === clientHeight ? now : { top: scrollTop, height: clientHeight },
    );
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end moves with the version
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && follows.current) element.scrollTop = element.scrollHeight;
    measure();
  }, [version, turns.length, measure]);
  const lastTurn = turns.findLast(({ kind }) => kind !== 'sampling');
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
        measure();
      }}
      // Room for a scrollbar on both sides, so that turns are in line with the box below.
      className="min-h-0 flex-1 overflow-auto px-0.5 [scrollbar-gutter:stable_both-edges] narrow:px-3 narrow:[scrollbar-gutter:auto]"
    >
      <div className="mx-auto flex max-w-[860px] flex-col">
        <div aria-hidden="true" style={{ height: above }} className="shrink-0" />
        {turns.slice(first, last).map((turn) => {
          const branch = branchPlace(state, turn);
          const { id } = turn;
          return (
            <Measured key={id} turn={id} onHeight={onHeight}>
              {turn.kind === 'user' ? (
                <UserTurnView turn={turn} version={turn.version} actions={actions} {...branch} onShow={onShow} />
              ) : (
                <>
                  {turn.from && <SamplingTurnView from={turn.from} isLive={actions !== undefined} />}
                  <AnswerView
                    log={log}
                    turn={turn}
                    version={turn.version}
                    actions={actions}
                    isLast={turn === lastTurn}
                    {...branch}
                    onShow={onShow}
                    viewed={viewed === id}
                    onView={onView}
                  />
                </>
              )}
            </Measured>
          );
        })}
        <div aria-hidden="true" style={{ height: below }} className="shrink-0" />
      </div>
    </div>
  );
}

/** Reports the height of what it draws, now and when it changes. */
function Measured({
  turn,
  onHeight,
  children,
}: {
  readonly turn: string;
  readonly onHeight: (turn: string, height: number) => void;
  readonly children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => onHeight(turn, element.offsetHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [turn, onHeight]);
  return (
    <div ref={box} className="min-w-0 shrink-0">
      {children}
    </div>
  );
}
