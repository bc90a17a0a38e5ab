import { StoredChoice, useStoredChoice } from '@/lib/hooks/stored-choice';

const stored = new StoredChoice<'off' | 'on'>('mcp-inspect.prefill-defaults', ['off', 'on']);

/** Whether untouched arguments start as the schema's defaults, for those who want them sent. Off unless the user says so. */
export function usePrefill(): [boolean, (on: boolean) => void] {
  const [chosen, choose] = useStoredChoice(stored, 'off');
  return [chosen === 'on', (on) => choose(on ? 'on' : 'off')];
}
