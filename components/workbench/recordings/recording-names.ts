import { visibleText } from '@/components/ui/visible-text';
import type { RecordingEntry } from '@/lib/wire/api';

type Named = Pick<RecordingEntry, 'about' | 'server' | 'name'>;

/** What a recording is called: by a person, else as its server calls itself, else as that was called where it was connected. */
export function nameOf({ about, server, name }: Named): string {
  return visibleText(about?.name || server || name);
}

/** Its other names, those that say something new. */
export function otherNames({ about, server, name }: Named): string {
  const [first, ...others] = [...new Set([about?.name, server, name].filter((each) => each))];
  return first === undefined ? '' : others.map((other) => visibleText(other!)).join(' · ');
}

/** Whether every word of `wanted` is in what is said of a recording. */
export function isWanted(entry: RecordingEntry, wanted: string): boolean {
  const said = [nameOf(entry), otherNames(entry), entry.about?.text, entry.id, entry.at].join('\n').toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}
