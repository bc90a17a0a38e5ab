import { isObject, type JsonObject, own } from '@/lib/json/value';

// Skills (io.modelcontextprotocol/skills, SEP-2640): directories of files that a server publishes as resources. An
// entry of `skills/list` or `skills/get` names the files with their digests. Everything here comes from a server.

/** A file of a skill, as its entry lists it. */
export interface SkillFile {
  readonly uri: string;
  /** `sha256:` and 64 lowercase hexadecimal digits. */
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
}

/** An entry of a skill. */
export interface Skill {
  /** URI of its SKILL.md. */
  readonly uri: string;
  /** Its name and description from the frontmatter; '' without. */
  readonly name: string;
  readonly description: string;
  readonly frontmatter: JsonObject;
  /** `dynamic`: the server publishes no digests, because the content is generated. */
  readonly files: readonly SkillFile[] | 'dynamic';
  /** Sentences about rules of the extension that the entry breaks. */
  readonly problems: readonly string[];
}

/** Limits of a skill that every host must accept. We read no more of one. */
const SKILL_LIMITS = { files: 512, bytes: 16 * 1024 * 1024 } as const;
/** Longest name and description, in characters (Agent Skills). */
const MOST_NAME = 64;
const MOST_DESCRIPTION = 1024;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const MANIFEST = '/SKILL.md';

/** Reads an entry. What is not valid is left out, and said in `problems`. */
export function readSkill(value: unknown): Skill {
  const entry = isObject(value) ? value : {};
  const uri = text(entry, 'uri');
  const given = own(entry, 'frontmatter');
  const frontmatter = isObject(given) ? given : {};
  const [name, description] = [text(frontmatter, 'name'), text(frontmatter, 'description')];
  const resources = own(entry, 'resources');
  const listed = Array.isArray(resources) ? resources.slice(0, SKILL_LIMITS.files).map(readFile) : [];
  const files = listed.filter((file): file is SkillFile => typeof file !== 'string');
  const root = skillRoot(uri);
  return {
    uri,
    name,
    description,
    frontmatter,
    files: resources === 'dynamic' ? 'dynamic' : files,
    problems: [
      ...(root === undefined ? [`Its uri ${quoted(uri)} does not end in ${MANIFEST} in a named directory.`] : []),
      ...nameProblems(name, root),
      ...descriptionProblems(description),
      ...(resources === 'dynamic' || Array.isArray(resources)
        ? []
        : ['Its resources are neither a list nor "dynamic".']),
      ...(Array.isArray(resources) && resources.length > SKILL_LIMITS.files
        ? [`It lists ${resources.length} files. Hosts accept ${SKILL_LIMITS.files}.`]
        : []),
      ...(files.reduce((sum, { size }) => sum + size, 0) > SKILL_LIMITS.bytes
        ? [`Its files are larger than ${SKILL_LIMITS.bytes} bytes together.`]
        : []),
      ...listed.filter((file) => typeof file === 'string'),
      ...(Array.isArray(resources) && root !== undefined ? filesProblems(files, uri, root) : []),
    ],
  };
}

function text(object: JsonObject, key: string): string {
  const value = own(object, key);
  return typeof value === 'string' ? value : '';
}

/** Quotes text of a server for a sentence, at most 100 characters of it. */
function quoted(value: string): string {
  return JSON.stringify(value.length <= 100 ? value : `${value.slice(0, 99)}…`);
}

/** Reads a file of an entry. Returns a sentence if it is not valid. */
function readFile(value: unknown): SkillFile | string {
  if (!isObject(value)) return 'A file in its resources is not an object.';
  const [uri, digest, size] = [text(value, 'uri'), text(value, 'digest'), own(value, 'size')];
  if (uri === '') return 'A file in its resources has no uri.';
  if (!DIGEST.test(digest)) return `The digest of ${quoted(uri)} is not sha256: and 64 lowercase hexadecimal digits.`;
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) {
    return `The size of ${quoted(uri)} is not a number of bytes.`;
  }
  return { uri, digest, size };
}

function nameProblems(name: string, root: string | undefined): readonly string[] {
  if (name === '') return ['Its frontmatter has no name.'];
  if (!NAME.test(name) || name.length > MOST_NAME) {
    return [`Its name ${quoted(name)} is not 1 to ${MOST_NAME} lowercase letters, digits and single hyphens.`];
  }
  const last = root === undefined ? name : decoded(root.slice(root.lastIndexOf('/') + 1));
  return last === name ? [] : [`Its name ${quoted(name)} differs from its directory ${quoted(last)}.`];
}

function descriptionProblems(description: string): readonly string[] {
  if (description === '') return ['Its frontmatter has no description.'];
  // A character can be two code units.
  const isLong = description.length > MOST_DESCRIPTION && [...description].length > MOST_DESCRIPTION;
  return isLong ? [`Its description is longer than ${MOST_DESCRIPTION} characters.`] : [];
}

function filesProblems(files: readonly SkillFile[], uri: string, root: string): readonly string[] {
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const file of files) {
    const key = fileKey(file.uri);
    if (key === undefined || !isWithin(root, key)) problems.push(`${quoted(file.uri)} is not in its directory.`);
    else if (seen.has(key)) problems.push(`${quoted(file.uri)} is listed twice.`);
    seen.add(key ?? file.uri);
  }
  return seen.has(fileKey(uri) ?? '') ? problems : [...problems, 'Its resources leave out its SKILL.md.'];
}

function isWithin(root: string, key: string): boolean {
  if (!key.startsWith(`${root}/`)) return false;
  const names = key
    .slice(root.length + 1)
    .split('/')
    .map(decoded);
  return names.every((name) => name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name));
}

/** Returns the URI of the skill's directory, without a slash at its end; undefined if the URI names no SKILL.md. */
export function skillRoot(uri: string): string | undefined {
  const key = fileKey(uri);
  if (key === undefined || !key.endsWith(MANIFEST)) return undefined;
  const root = key.slice(0, -MANIFEST.length);
  return root.endsWith('/') ? undefined : root;
}

/**
 * Returns one spelling for all ways to write a file's URI, which servers and clients encode differently: `Q&A.md` and
 * `Q%26A.md`. undefined for an invalid URI, or one with a query or fragment.
 */
export function fileKey(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { href } = new URL(uri);
  if (/[?#]/.test(href)) return undefined;
  const [, start = '', path = ''] = /^([a-z][a-z0-9+.-]*:\/*)(.*)$/i.exec(href) ?? [];
  return (
    start +
    path
      .split('/')
      .map((name) => encodeURIComponent(decoded(name)))
      .join('/')
  );
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Returns the path of a file within its skill, decoded: `scripts/undo.sh`. The URI itself for other files. */
export function filePath({ uri }: Skill, file: string): string {
  const [root, key] = [skillRoot(uri), fileKey(file)];
  if (root === undefined || key === undefined || !isWithin(root, key)) return file;
  return key
    .slice(root.length + 1)
    .split('/')
    .map(decoded)
    .join('/');
}
