import { readSkill, type Skill } from '@/features/skills/lib/skill-entry';
import { isObject, own } from '@/lib/json/value';
import { EXIT, ExitError } from '@/proxy/cli/exit-code';
import type { ConnectedServer } from '@/proxy/commands/headless/on-server';
import { requireResult, shownPages } from '@/proxy/commands/headless/results';

/** Requests all pages of the list. `onPage` gets the exact text of each. */
export async function readSkillList(
  server: ConnectedServer,
  onPage: (text: string) => void = () => {},
): Promise<readonly Skill[]> {
  const skills: Skill[] = [];
  for await (const page of shownPages(server, 'skills/list')) {
    const { result, text } = requireResult(page);
    onPage(text);
    const listed = isObject(result) ? own(result, 'skills') : undefined;
    if (!Array.isArray(listed)) throw new ExitError(EXIT.serverError, 'The result of skills/list has no skills.');
    skills.push(...listed.map(readSkill));
  }
  return skills;
}

/** Prints on stderr which rules an entry breaks. Returns true if it breaks any. */
export function reportProblems({ name, uri, problems }: Skill, { out }: ConnectedServer): boolean {
  for (const problem of problems) out.printNote('mcp-inspect', `Skill ${name || uri || 'without a uri'}: ${problem}`);
  return problems.length > 0;
}
