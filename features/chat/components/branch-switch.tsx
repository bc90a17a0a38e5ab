import { IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import type { ChatState, ChatTurn } from '@/features/chat/lib/chat-state';

/** The place of a turn among those that follow the same one. */
export interface BranchPlace {
  /** Such as 2/3; '' if there is only one. */
  readonly place: string;
  readonly earlier: string | undefined;
  readonly later: string | undefined;
}

const ALONE: BranchPlace = { place: '', earlier: undefined, later: undefined };

/** Returns the place of a turn among its siblings. */
export function branchPlace(state: ChatState, turn: ChatTurn): BranchPlace {
  const siblings = turn.parent === undefined ? state.roots : (state.turns.get(turn.parent)?.children ?? []);
  if (siblings.length < 2) return ALONE;
  const at = siblings.indexOf(turn.id);
  return { place: `${at + 1}/${siblings.length}`, earlier: siblings[at - 1], later: siblings[at + 1] };
}

/** Switches between the turns that follow the same one. */
export function BranchSwitch({
  place,
  earlier,
  later,
  onShow,
}: BranchPlace & { readonly onShow: (turn: string) => void }) {
  if (place === '') return null;
  return (
    <span className="tabular inline-flex items-center">
      <IconButton
        label="Earlier branch"
        disabled={earlier === undefined}
        onClick={() => earlier !== undefined && onShow(earlier)}
      >
        <Icon name="back" />
      </IconButton>
      <span className="sr-only">Branch </span>
      {place}
      <IconButton
        label="Later branch"
        disabled={later === undefined}
        onClick={() => later !== undefined && onShow(later)}
      >
        <Icon name="forward" />
      </IconButton>
    </span>
  );
}
