import { IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { usePaletteCommands } from '@/components/ui/shortcuts';
import { CALL_ACTIONS } from '@/features/call-actions';
import type { CallAction, CallActionProps } from '@/features/page-feature';

/** An action that can be run. */
interface RunnableAction extends Pick<CallAction, 'label' | 'icon'> {
  readonly run: () => void;
}

/** Returns what features can do with a call now. */
export function useCallActions(call: CallActionProps): readonly RunnableAction[] {
  return CALL_ACTIONS.flatMap(({ label, icon, useRun }) => {
    // biome-ignore lint/correctness/useHookAtTopLevel: the list never changes
    const run = useRun(call);
    return run ? [{ label, icon, run }] : [];
  });
}

/**
 * Buttons for what features can do with a call. `inPalette` also adds commands to the palette, which has those of the
 * selected message anyway.
 */
export function CallButtons({ inPalette = false, ...call }: CallActionProps & { readonly inPalette?: boolean }) {
  const actions = useCallActions(call);
  usePaletteCommands(() => (inPalette ? actions.map(({ label, run }) => ({ title: label, run })) : []));
  return actions.map(({ label, icon, run }) => (
    <IconButton key={label} label={label} onClick={run}>
      <Icon name={icon} />
    </IconButton>
  ));
}

/** The notes of features about what they did with a call. */
export function CallNotes(call: CallActionProps) {
  return CALL_ACTIONS.map(({ label, Note }) => <Note key={label} {...call} />);
}
