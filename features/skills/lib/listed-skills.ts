import { isObject, own } from '@/lib/json/value';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import type { LogState } from '@/lib/store/state/state';
import { EXTENSION } from '@/lib/wire/protocol-names';
import { readSkill, type Skill } from './skill-entry';

/** True if the server declares the extension for skills. */
export function declaresSkills({ server: { capabilities } }: LogState): boolean {
  const extensions = capabilities && own(capabilities, 'extensions');
  return isObject(extensions) && Object.hasOwn(extensions, EXTENSION.skills);
}

/** A skill with the key of its row. */
export interface ListedSkill {
  readonly key: string;
  readonly skill: Skill;
}

/** The newest list of skills in a log. */
export interface SkillList {
  readonly skills: readonly ListedSkill[];
  /** The cursor of the page that was not requested yet. */
  readonly next: unknown;
  /** The newest request for a page. */
  readonly newest: Exchange | undefined;
}

/** Collects the pages of the newest list. A request without a cursor begins a list. */
export function listedSkills(log: Log, requests: readonly Exchange[]): SkillList {
  let entries: readonly unknown[] = [];
  let next: unknown;
  for (const { status, requestSeq, responseSeq, id } of requests) {
    if (status !== 'ok' || responseSeq === undefined) continue;
    const cursor = messageSource(log, requestSeq)?.member('params')?.member('cursor')?.value;
    if (cursor !== undefined && cursor !== next) continue;
    const result = messageSource(log, responseSeq, id)?.member('result')?.value;
    const page = isObject(result) ? own(result, 'skills') : undefined;
    entries = [...(cursor === undefined ? [] : entries), ...(Array.isArray(page) ? page : [])];
    next = isObject(result) ? own(result, 'nextCursor') : undefined;
  }
  const seen = new Set<string>();
  const skills = entries.map((entry, place) => {
    const skill = readSkill(entry);
    const key = skill.uri === '' || seen.has(skill.uri) ? `${skill.uri} ${place}` : skill.uri;
    seen.add(key);
    return { key, skill };
  });
  return { skills, next, newest: requests.at(-1) };
}
