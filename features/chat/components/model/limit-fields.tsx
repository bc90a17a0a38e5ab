import { type ChatLimits, USUAL_LIMITS } from '@/features/chat/lib/chat-frame';
import { NumberField } from './number-field';

const LIMITS: readonly { readonly key: keyof ChatLimits; readonly label: string; readonly least: number }[] = [
  { key: 'calls', label: 'Max tool calls', least: 0 },
  { key: 'outputTokens', label: 'Max output tokens', least: 1 },
  { key: 'tokensPerAnswer', label: 'Max tokens per answer', least: 1 },
  { key: 'seconds', label: 'Timeout (seconds)', least: 1 },
  { key: 'resultChars', label: 'Max result length (characters)', least: 1 },
];

interface LimitFieldsProps {
  readonly limits: ChatLimits;
  readonly onChange: (limits: ChatLimits) => void;
  /** Those that count here; all unless given. */
  readonly only?: readonly (keyof ChatLimits)[];
}

/** Fields for the bounds of an answer. */
export function LimitFields({ limits, onChange, only }: LimitFieldsProps) {
  return LIMITS.filter(({ key }) => only === undefined || only.includes(key)).map(({ key, label, least }) => (
    <NumberField
      key={key}
      label={label}
      value={limits[key]}
      placeholder={String(USUAL_LIMITS[key])}
      usual={USUAL_LIMITS[key]}
      least={least}
      whole
      onChange={(value) => onChange({ ...limits, [key]: value })}
    />
  ));
}
