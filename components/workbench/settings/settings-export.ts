import { jsonIn } from '@/lib/json/parse';
import { isObject, own } from '@/lib/json/value';
import { isRetention } from '@/lib/recording/retention';
import type { RetentionSettings } from '@/lib/wire/api';
import type { Failure } from '@/lib/wire/lifecycle';
import { type ReadSettings, readSettings } from '@/lib/wire/settings';

/** Bytes of the largest file that is read: more than all settings at their bounds have. */
const EXPORT_BYTES = 4 * 1024 * 1024;
/** Names in a report of what was ignored, and characters of each. */
const NAMED = 10;
const NAME_CHARS = 60;

/** Reads exported settings, and the retention of recordings if it is among them. Rejects with a Failure. */
export async function readSettingsExport(file: Blob): Promise<ReadSettings & { readonly keep?: RetentionSettings }> {
  const content = file.size <= EXPORT_BYTES ? jsonIn(await file.text()) : undefined;
  const read = readSettings(content);
  if (!read) throw NOT_SETTINGS;
  const keep = isObject(content) ? own(content, 'keep') : undefined;
  const ignored = read.ignored.filter((name) => name !== 'keep' || !isRetention(keep));
  const named = ignored.slice(0, NAMED).map((name) => name.slice(0, NAME_CHARS));
  return {
    settings: read.settings,
    ignored: ignored.length > NAMED ? [...named, '…'] : named,
    ...(isRetention(keep) && { keep }),
  };
}

const NOT_SETTINGS: Failure = {
  code: 'not-settings',
  message: 'This file has no settings.',
  advice: 'Choose a JSON file that Export… saved.',
};
