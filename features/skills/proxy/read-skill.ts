import { type Ask, type CheckedFile, readSkillFiles } from '@/features/skills/lib/check-file';
import { filePath, readSkill, type Skill, skillRoot } from '@/features/skills/lib/skill-entry';
import { parseYaml } from '@/features/skills/lib/whole-yaml';
import { isObject, own } from '@/lib/json/value';
import { formatBytes } from '@/lib/wire/format';
import { EXIT, type ExitCode, ExitError, usageError } from '@/proxy/cli/exit-code';
import { LINE_COLUMNS, table } from '@/proxy/cli/table';
import { unlistedText } from '@/proxy/commands/headless/named-entries';
import type { CommandAction, ConnectedServer } from '@/proxy/commands/headless/on-server';
import { request, requireResult } from '@/proxy/commands/headless/results';
import { readSkillList, reportProblems } from './listed-skills';

/** A skill that the command line names, and a file of it. */
interface WantedSkill {
  /** The name of a listed skill, or the URI of the SKILL.md of any. */
  readonly skill: string;
  readonly path?: string;
}

/** Returns what reads and verifies a skill, or a file of it. Throws an ExitError. */
export function read(word: string): CommandAction {
  const wanted = readWantedSkill(word);
  return (server) => verifySkill(wanted, server);
}

/** Reads `skill:NAME[/PATH]` and `skill:URI[/PATH]`. Throws an ExitError. */
function readWantedSkill(word: string): WantedSkill {
  const rest = word.slice('skill:'.length);
  const [, skill, path] = (rest.includes('://') ? BY_URI : BY_NAME).exec(rest) ?? [];
  if (!skill) throw usageError('`skill:` needs a name: write `skill:NAME`, `skill:NAME/PATH` or `skill:URI`.');
  return { skill, ...(path && { path }) };
}

const BY_NAME = /^([^/]+)(?:\/(.*))?$/s;
const BY_URI = /^(.+?\/SKILL\.md|.+)(?:\/(.*))?$/s;

/** Finds a skill by its name in the list; a URI is used as it is. Throws an ExitError if no or several have it. */
async function findUri(wanted: string, server: ConnectedServer): Promise<string> {
  if (skillRoot(wanted) !== undefined) return wanted;
  const skills = await readSkillList(server);
  const named = skills.filter(({ name }) => name === wanted);
  if (named.length > 1) {
    const uris = named.map(({ uri }) => uri).join(', ');
    throw usageError(`Several skills are named \`${wanted}\`. Give the URI of one: ${uris}`);
  }
  if (named[0]) return named[0].uri;
  const names = skills.map(({ name }) => name);
  throw usageError(unlistedText({ what: 'skill' }, wanted, names));
}

/** Reads and verifies the files of a skill. Prints the checks, or one file that passed them. */
async function verifySkill({ skill: wanted, path }: WantedSkill, server: ConnectedServer): Promise<ExitCode> {
  const { out } = server;
  const ask: Ask = async (method, params) =>
    requireResult(await request(server, method, JSON.stringify(params))).result;
  const result = await ask('skills/get', { uri: await findUri(wanted, server) });
  const entry = isObject(result) ? own(result, 'skill') : undefined;
  const skill = readSkill(entry);
  let isWrong = reportProblems(skill, server);
  const files: CheckedFile[] = [];
  for await (const file of readSkillFiles(skill, ask, parseYaml)) {
    files.push(file);
    for (const problem of file.problems) {
      out.printNote('mcp-inspect', `${filePath(skill, file.uri)}: ${problem}`);
      isWrong = true;
    }
  }
  const unread = skill.files === 'dynamic' ? 0 : skill.files.length - files.length;
  if (unread > 0) out.printNote('mcp-inspect', 'The other files were not read, because a host must stop there.');
  if (path !== undefined) printFile(skill, files, path, server);
  else if (out.json) out.printExact(JSON.stringify({ skill: entry, files: files.map((file) => factsOf(skill, file)) }));
  else printChecks(skill, files, server);
  return isWrong ? EXIT.serverError : EXIT.fine;
}

function factsOf(skill: Skill, { uri, content, checks, problems }: CheckedFile) {
  return { path: filePath(skill, uri), uri, size: content?.bytes.length, checks, problems };
}

function printChecks(skill: Skill, files: readonly CheckedFile[], { out }: ConnectedServer): void {
  const rows = files.map((file) => [
    filePath(skill, file.uri),
    file.content ? formatBytes(file.content.bytes.length) : '',
    file.problems.length > 0 ? 'fails' : file.checks.includes('digest') ? 'verified' : 'no digest',
    file.checks.join(', '),
  ]);
  out.printText(`${skill.name || '(no name)'}: ${skill.description}\n${skill.uri}\n`);
  out.printText(table(['FILE', 'SIZE', 'RESULT', 'CHECKED'], rows, out.width ?? LINE_COLUMNS));
}

/** Prints the text of a file that passed its checks. Throws an ExitError otherwise. */
function printFile(skill: Skill, files: readonly CheckedFile[], path: string, { out }: ConnectedServer): void {
  const file = files.find(({ uri }) => uri === path || filePath(skill, uri) === path);
  if (!file) throw new ExitError(EXIT.serverError, `The skill has no file \`${path}\`, or it was not read.`);
  if (file.problems.length > 0 || !file.content) {
    throw new ExitError(EXIT.serverError, `\`${path}\` failed its checks, so it is not printed.`);
  }
  const { text } = file.content;
  if (text === undefined) throw new ExitError(EXIT.serverError, `\`${path}\` is not text.`);
  if (out.json) out.printExact(JSON.stringify({ ...factsOf(skill, file), text }));
  else out.printText(text.replace(/\n$/, ''));
}
