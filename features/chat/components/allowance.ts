import type { ChatSettings } from '@/features/chat/lib/chat-frame';

/** Returns settings with which every call waits for the person. */
export function withoutAllowance({ allow: _, ...settings }: ChatSettings): ChatSettings {
  return settings;
}

/** Returns true if some calls run without waiting for the person. */
export function runsWithoutAsking({ allow }: ChatSettings): boolean {
  return allow !== undefined && (allow.mode !== 'ask' || (allow.tools ?? []).length > 0);
}
