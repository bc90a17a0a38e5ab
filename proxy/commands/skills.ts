import { isObject, own } from '@/lib/json/value';
import { type Ask, type CheckedFile, readSkillFiles } from '@/lib/skills/check-file';
import { filePath, readSkill, type Skill, skillRoot } from '@/lib/skills/skill-entry';
import { parseYaml } from '@/lib/skills/whole-yaml';
import { formatBytes } from '@/lib/wire/format';
import { EXTENSION } from '@/lib/wire/protocol-names';
import { closest } from '@/proxy/cli/closest';
import { EXIT, type ExitCode, ExitError, usageError } from '@/proxy/cli/exit-code';
import { lastValue } from '@/proxy/cli/grammar';
import { table } from '@/proxy/cli/table';
import { type ConnectedServer, onServer } from './headless/on-server';
import { request, requireResult, shownPages } from './headless/results';

/** Lists the skills of a server, or reads and verifies one. */
export const run = onServer(async ({ words: [wanted], given }) => {
  const path = lastValue(given, 'file');
  if (wanted === undefined && path !== undefined) throw usageError('`--file` needs the name of a skill: add it.');
  return async (server) => {
    noteUndeclared(server);
    return wanted === undefined ? listSkills(server) : verifySkill(wanted, path, server);
  };
});

function noteUndeclared({ negotiated, out }: ConnectedServer): void {
  const extensions = negotiated && own(negotiated.capabilities, 'extensions');
  if (!negotiated || (isObject(extensions) && own(extensions, EXTENSION.skills) !== undefined)) return;
  out.printNote('mcp-inspect', `The server does not declare ${EXTENSION.skills}, so it may refuse this.`);
}

/** Requests all pages of the list. With `--json`, prints each exactly on one line. */
async function skillsOf(server: ConnectedServer, prints: boolean): Promise<readonly Skill[]> {
  const skills: Skill[] = [];
  for await (const page of shownPages(server, 'skills/list')) {
    const { result, text } = requireResult(page);
    if (prints && server.out.json) server.out.printExact(text);
    const listed = isObject(result) ? own(result, 'skills') : undefined;
    if (!Array.isArray(listed)) throw new ExitError(EXIT.serverError, 'The result of skills/list has no skills.');
    skills.push(...listed.map(readSkill));
  }
  return skills;
}

/** Longest line if stdout is not a terminal. `--json` prints everything. */
const LINE_COLUMNS = 200;

async function listSkills(server: ConnectedServer): Promise<ExitCode> {
  const { out } = server;
  const skills = await skillsOf(server, true);
  if (!out.json && skills.length === 0) out.printNote('mcp-inspect', 'The server has no skills.');
  else if (!out.json) {
    const rows = skills.map((skill) => [skill.name, skill.uri, ...filesCells(skill), skill.description]);
    out.printText(table(['NAME', 'URI', 'FILES', 'SIZE', 'DESCRIPTION'], rows, out.width ?? LINE_COLUMNS));
  }
  return skills.map((skill) => reportProblems(skill, server)).includes(true) ? EXIT.serverError : EXIT.fine;
}

function filesCells({ files }: Skill): readonly [files: string, size: string] {
  if (files === 'dynamic') return ['dynamic', ''];
  return [String(files.length), formatBytes(files.reduce((sum, { size }) => sum + size, 0))];
}

/** Prints on stderr which rules an entry breaks. Returns true if it breaks any. */
function reportProblems({ name, uri, problems }: Skill, { out }: ConnectedServer): boolean {
  for (const problem of problems) out.printNote('mcp-inspect', `Skill ${name || uri || 'without a uri'}: ${problem}`);
  return problems.length > 0;
}

/** Finds a skill by its name in the list; a URI is used as it is. Throws an ExitError if no or several have it. */
async function findUri(wanted: string, server: ConnectedServer): Promise<string> {
  if (skillRoot(wanted) !== undefined) return wanted;
  const skills = await skillsOf(server, false);
  const named = skills.filter(({ name }) => name === wanted);
  if (named.length > 1) {
    const uris = named.map(({ uri }) => uri).join(', ');
    throw usageError(`Several skills are named \`${wanted}\`. Give the URI of one: ${uris}`);
  }
  if (named[0]) return named[0].uri;
  const near = closest(
    wanted,
    skills.map(({ name }) => name),
  );
  throw usageError(`There is no skill \`${wanted}\`${near === undefined ? '.' : `: did you mean \`${near}\`?`}`);
}

async function verifySkill(wanted: string, path: string | undefined, server: ConnectedServer): Promise<ExitCode> {
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
