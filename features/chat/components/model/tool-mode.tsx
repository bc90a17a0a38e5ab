import { Segmented } from '@/components/ui/button';
import type { ToolMode } from '@/features/chat/lib/chat-frame';

const NAMES = ['native', 'in the prompt'] as const;

/** Chooses how a model gets tools: by the provider's own tool calling, or described in the prompt. */
export function ToolModeSwitch({
  mode,
  onChoose,
}: {
  readonly mode: ToolMode;
  readonly onChoose: (mode: ToolMode) => void;
}) {
  return (
    <Segmented
      label="Tool calling"
      names={NAMES}
      chosen={NAMES[mode === 'native' ? 0 : 1]}
      onChoose={(name) => onChoose(name === 'native' ? 'native' : 'described')}
    />
  );
}
