import type { JsonObject } from '@/lib/json/value';
import { digestProblem, type FileContent, skillContent } from './file-digest';
import { frontmatterDifferences, frontmatterText } from './frontmatter';
import { fileKey, type Skill, type SkillFile } from './skill-entry';

/** A file that was read, and the result of its checks. */
export interface CheckedFile {
  readonly uri: string;
  readonly content: FileContent | undefined;
  /** Sentences about checks that failed. A host must not use the file then. */
  readonly problems: readonly string[];
  /** The checks that were made. `dynamic` skills have no sizes and digests. */
  readonly checks: readonly ('size' | 'digest' | 'frontmatter')[];
}

/** Parses the YAML of a frontmatter. Returns a sentence for invalid YAML, undefined if it can't tell. */
export type ParseYaml = (yaml: string) => JsonObject | string | undefined;

/** Returns the file of an entry with this URI. */
function listedFile({ files }: Skill, uri: string): SkillFile | undefined {
  const key = fileKey(uri) ?? uri;
  return files === 'dynamic' ? undefined : files.find((file) => (fileKey(file.uri) ?? file.uri) === key);
}

/**
 * Checks a file against the entry of its skill: that it is listed, its size and digest, and for SKILL.md each field of
 * its frontmatter. `result`: of `resources/read`.
 */
export function checkFile(skill: Skill, uri: string, result: unknown, parse: ParseYaml): CheckedFile {
  const content = skillContent(uri, result);
  if (typeof content === 'string') return { uri, content: undefined, problems: [content], checks: [] };
  const listed = listedFile(skill, uri);
  const differs = listed && digestProblem(listed, content.bytes);
  const frontmatter = fileKey(uri) === fileKey(skill.uri) ? frontmatterProblems(skill, content, parse) : undefined;
  return {
    uri,
    content,
    problems: [
      ...(skill.files !== 'dynamic' && !listed ? ['The entry does not list it.'] : []),
      ...(differs ? [differs.message] : []),
      ...(frontmatter ?? []),
    ],
    checks: [...(listed ? (['size', 'digest'] as const) : []), ...(frontmatter ? (['frontmatter'] as const) : [])],
  };
}

/** Returns sentences about the frontmatter; undefined if `parse` can't tell. */
function frontmatterProblems(skill: Skill, { text }: FileContent, parse: ParseYaml): readonly string[] | undefined {
  if (text === undefined) return ['SKILL.md is not valid UTF-8.'];
  const found = frontmatterText(text);
  if ('problem' in found) return [found.problem];
  const parsed = parse(found.yaml);
  if (parsed === undefined) return undefined;
  return typeof parsed === 'string' ? [parsed] : frontmatterDifferences(skill.frontmatter, parsed);
}

/** Sends a request, and returns its result. Rejects if there is none. */
export type Ask = (method: string, params: { readonly uri: string }) => Promise<unknown>;

/**
 * Reads and checks the files of a skill one after the other, SKILL.md first. Stops after one that fails, because a host
 * must not load the skill then. Call it only when a person asks for the skill.
 */
export async function* readSkillFiles(skill: Skill, ask: Ask, parse: ParseYaml): AsyncGenerator<CheckedFile> {
  const listed = skill.files === 'dynamic' ? [] : skill.files.map(({ uri }) => uri);
  const key = fileKey(skill.uri);
  const uris = [skill.uri, ...listed.filter((uri) => fileKey(uri) !== key)];
  for (const uri of uris) {
    // The server knows the file by the spelling in its entry.
    const result = await ask('resources/read', { uri: listedFile(skill, uri)?.uri ?? uri });
    const file = checkFile(skill, uri, result, parse);
    yield file;
    if (file.problems.length > 0) return;
  }
}
