import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import type { HostProfile } from '@/lib/wire/client-profile';
import { leafPaths } from './client-facts';
import type { HostView } from './host-view';

/** Something that a recorded host does otherwise than its profile says. */
export interface ProfileDifference {
  readonly what: string;
  /** Text of the host. */
  readonly recorded: string;
  readonly profile: string;
}

const ABSENT = 'absent';

/** Compares a recorded host with its profile, as far as both are known. The names of folders are not read. */
export function profileDifferences(log: Log, view: HostView, profile: HostProfile): readonly ProfileDifference[] {
  const found: ProfileDifference[] = [];
  const add = (what: string, recorded: string, expected: string) => {
    if (recorded !== expected) found.push({ what, recorded, profile: expected });
  };
  const compare = (what: string, recorded: JsonObject, expected: object) => {
    const [is, was] = [leafPaths(recorded), leafPaths(expected as JsonObject)];
    for (const path of new Set([...was.keys(), ...is.keys()]))
      add(`${what}.${path}`, is.get(path) ?? ABSENT, was.get(path) ?? ABSENT);
  };
  const { identities, steps } = view;
  const [first] = identities;
  if (first) {
    const { version = ABSENT } = first;
    compare('clientInfo', first.info, profile.client.info);
    compare('capabilities', first.capabilities, profile.client.capabilities);
    if (!profile.versions.includes(version)) add('protocolVersion', version, profile.versions.join(' or '));
  }
  const asked = steps.map(({ method }) => method).filter((method) => !method.startsWith('notifications/'));
  const opening = (profile.opening ?? []).slice(0, asked.length);
  add('first requests', asked.slice(0, opening.length).join(', '), opening.join(', '));
  const roots = answeredRoots(log);
  if (roots !== undefined && profile.roots !== undefined) add('answer to roots/list', roots, profile.roots);
  return found;
}

/** Returns what the host answered to the first `roots/list`; undefined if nobody asked or it did not answer. */
function answeredRoots(log: Log): string | undefined {
  const { columns } = log;
  for (let index = 0; index < log.size; index++) {
    if (columns.method(index) !== 'roots/list' || columns.direction(index) !== 'to-client') continue;
    const answer = log.exchange(index + 1)?.responseSeq;
    const message = answer === undefined ? undefined : log.json(answer - 1);
    if (!message) continue;
    const result = message.member('result')?.value;
    const roots = isObject(result) ? own(result, 'roots') : undefined;
    if (!Array.isArray(roots)) return 'refused';
    return roots.length > 0 ? 'folders' : 'none';
  }
  return undefined;
}
