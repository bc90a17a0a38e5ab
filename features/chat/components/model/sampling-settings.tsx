import { type ChatLimits, type ChatSettings, USUAL_LIMITS } from '@/features/chat/lib/chat-frame';
import { useDraft } from '@/lib/hooks/drafts';
import { CHAT_SETTINGS } from '../use-chats';
import { LimitFields } from './limit-fields';
import { ModelField } from './model-field';
import { ToolModeSwitch } from './tool-mode';

/** The limits that count for one completion. */
const LIMITS: readonly (keyof ChatLimits)[] = ['outputTokens', 'seconds'];

const FIRST_SAMPLING: ChatSettings = { model: '', toolMode: 'native', limits: USUAL_LIMITS, servers: [] };

/** Returns the settings until somebody chooses: the model of the chats, if there is one. */
export function useFirstSampling(): ChatSettings {
  const [{ model, baseUrl }] = useDraft<ChatSettings>(CHAT_SETTINGS, FIRST_SAMPLING);
  return { ...FIRST_SAMPLING, model, ...(baseUrl !== undefined && { baseUrl }) };
}

interface SamplingSettingsProps {
  readonly settings: ChatSettings;
  readonly onChange: (settings: ChatSettings) => void;
}

/** The model that answers sampling requests, and how it is asked. */
export function SamplingSettings({ settings, onChange }: SamplingSettingsProps) {
  const change = (changes: Partial<ChatSettings>) => onChange({ ...settings, ...changes });
  return (
    <div className="flex max-w-[480px] min-w-0 flex-col gap-3">
      <ModelField
        model={settings.model}
        baseUrl={settings.baseUrl}
        onChange={(model) => change({ model })}
        onBaseUrl={(baseUrl) => change({ baseUrl })}
      />
      <div className="grid min-w-0 grid-cols-2 gap-2">
        <LimitFields limits={settings.limits} only={LIMITS} onChange={(limits) => change({ limits })} />
      </div>
      <div className="flex min-w-0 flex-col gap-1">
        <span className="text-muted">Tool calling</span>
        <ToolModeSwitch mode={settings.toolMode} onChoose={(toolMode) => change({ toolMode })} />
      </div>
    </div>
  );
}
