import { type JsonObject, own } from '@/lib/json/value';
import { LIMITS } from './limits';

/** Returns the name that people should see for a server: the title in its `serverInfo`, or else the name there. */
export function serverLabel(serverInfo: JsonObject): string | undefined {
  const labels = [own(serverInfo, 'title'), own(serverInfo, 'name')];
  const found = labels.find((label) => typeof label === 'string' && label.trim() !== '');
  return (found as string | undefined)?.trim().slice(0, LIMITS.recordingNameChars);
}
