import { checkSettings } from './check/lib/check-settings';
import type { SettingsReader } from './feature';

/** Reads what features have in the settings of a team, so that their author learns about faults at the next command. */
export const SETTINGS_READERS: readonly SettingsReader[] = [checkSettings];
