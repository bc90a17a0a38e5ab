import type { Skill } from '@/features/skills/lib/skill-entry';
import { formatBytes } from '@/lib/wire/format';
import { EXIT, type ExitCode } from '@/proxy/cli/exit-code';
import { LINE_COLUMNS, table } from '@/proxy/cli/table';
import type { ConnectedServer } from '@/proxy/commands/headless/on-server';
import { readSkillList, reportProblems } from './listed-skills';

/** Lists the skills of a server, and what is wrong with their entries. Reads no file. `several`: with a heading. */
export async function print(server: ConnectedServer, several: boolean): Promise<ExitCode> {
  const { out } = server;
  const skills = await readSkillList(server, (text) => out.json && out.printExact(text));
  if (several && !out.json) out.printText(`skills (${skills.length})`);
  if (!out.json && !several && skills.length === 0) out.printNote('mcp-inspect', 'The server has no skills.');
  else if (!out.json && skills.length > 0) {
    const rows = skills.map((skill) => [skill.name, skill.uri, ...filesCells(skill), skill.description]);
    out.printText(table(['NAME', 'URI', 'FILES', 'SIZE', 'DESCRIPTION'], rows, out.width ?? LINE_COLUMNS));
  }
  if (several && !out.json) out.printText('');
  return skills.map((skill) => reportProblems(skill, server)).includes(true) ? EXIT.serverError : EXIT.fine;
}

function filesCells({ files }: Skill): readonly [files: string, size: string] {
  if (files === 'dynamic') return ['dynamic', ''];
  return [String(files.length), formatBytes(files.reduce((sum, { size }) => sum + size, 0))];
}
