import { existsSync, realpathSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import ignore from 'ignore';
import { GitIgnore } from './git-ignore';
import { sourcesOf } from './languages';

/** A command whose sources are looked for. */
export interface WatchedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** The files to watch. */
export interface WatchPlan {
  /** Absolute paths of folders, and of single files. */
  readonly roots: readonly string[];
  /** The folder that names of files are relative to. */
  readonly base: string;
  /** `base` or the globs, for people. */
  readonly where: string;
  /** True for a folder that is not looked into. */
  skipsFolder(path: string): boolean;
  /** True for a file to watch. */
  matches(path: string): boolean;
}

/** Folders that never hold sources. */
const NEVER = new Set(['node_modules', '__pycache__', 'site-packages', 'bower_components']);
/** Folders that compilers write to. */
const OUTPUT = new Set(['dist', 'build', 'out', 'target', 'obj']);
/** Folders that tools and servers leave behind. */
const LEFT_BEHIND = new Set(['coverage', 'venv', 'env', 'vendor', 'tmp', 'temp', 'logs']);
/** Folders looked at above a script for the mark of its project. */
const MOST_LEVELS = 12;

/**
 * Decides which files of a server to watch: the sources in the project of its script, or of its working directory.
 * `builds`: a build makes what the command runs, so only sources count. Undefined if there is nothing to watch.
 */
export function planOf(server: WatchedCommand, builds: boolean, home = homedir()): WatchPlan | undefined {
  const script = scriptOf(server);
  const { endings, marks } = sourcesOf(server.command);
  const from = real(script === undefined ? server.cwd : dirname(script));
  const project = projectOf(from, marks, home);
  const output = builds || script === undefined ? undefined : outputFolderOf(real(script), project ?? real(server.cwd));
  const folder = output ?? project ?? (script === undefined || isWide(from, home) ? undefined : from);
  // Without a project, a program's own file is all that is known.
  const single = script !== undefined && !builds ? [real(script)] : [];
  if (folder === undefined) {
    const [file] = single;
    return file === undefined ? undefined : { ...singleFile(file), skipsFolder: () => true };
  }
  const git = output === undefined ? new GitIgnore(folder) : undefined;
  return {
    // The file itself is watched even if the folder has too many.
    roots: [folder, ...single],
    base: folder,
    where: folder,
    skipsFolder: (path) => {
      const name = basename(path);
      if (name.startsWith('.') || NEVER.has(name)) return true;
      if (output !== undefined) return false;
      return OUTPUT.has(name) || LEFT_BEHIND.has(name) || git?.ignores(path, true) === true;
    },
    matches: (path) => {
      if (single.includes(path)) return true;
      if (basename(path).startsWith('.') || !endings.has(extname(path).slice(1).toLowerCase())) return false;
      return git?.ignores(path, false) !== true;
    },
  };
}

/** Adds a file to those that are watched. */
export function withFile(plan: WatchPlan, file: string): WatchPlan {
  const added = real(file);
  return {
    ...plan,
    roots: [...plan.roots, added],
    matches: (path) => path === added || plan.matches(path),
  };
}

function singleFile(file: string): Omit<WatchPlan, 'skipsFolder'> {
  return { roots: [file], base: dirname(file), where: file, matches: (path) => path === file };
}

/** Returns the files that globs name, relative to `cwd`. A folder stands for every file in it. */
export function planOfGlobs(globs: readonly string[], cwd: string): WatchPlan {
  const parts = globs.map((glob) => {
    const path = resolve(cwd, glob);
    if (isFolder(path)) return { root: real(path), matches: () => true };
    if (existsSync(path)) return { root: real(path), matches: (name: string) => name === '' };
    const parts = glob.split(sep === '/' ? '/' : /[/\\]/);
    const at = Math.max(
      0,
      parts.findIndex((part) => /[*?[{]/.test(part)),
    );
    // Globs have the syntax of .gitignore, and braces.
    const patterns = withoutBraces(parts.slice(at).join('/')).map((pattern) => `/${pattern}`);
    const rules = ignore().add(patterns);
    return {
      root: real(resolve(cwd, parts.slice(0, at).join('/') || (glob.startsWith('/') ? '/' : '.'))),
      matches: (name: string) => name !== '' && rules.ignores(name),
    };
  });
  return {
    roots: [...new Set(parts.map(({ root }) => root))],
    base: real(cwd),
    where: globs.join(', '),
    skipsFolder: (path) => NEVER.has(basename(path)) || basename(path) === '.git',
    matches: (path) =>
      parts.some(({ root, matches }) => {
        if (path !== root && !isInside(root, path)) return false;
        return matches(relative(root, path).split(sep).join('/'));
      }),
  };
}

/** Patterns that the braces of one glob may stand for. */
const MOST_PATTERNS = 100;

/** Returns the patterns that a glob with `{a,b}` stands for. */
function withoutBraces(glob: string): readonly string[] {
  const patterns = [glob];
  for (let at = 0; at < patterns.length && patterns.length < MOST_PATTERNS; ) {
    const [whole, before = '', inside = '', after = ''] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(patterns[at]!) ?? [];
    if (whole === undefined) at++;
    else patterns.splice(at, 1, ...inside.split(',').map((one) => before + one + after));
  }
  return patterns;
}

/** Returns the file among a command's words that holds the program: its script, or the program itself. */
export function scriptOf({ command, args, cwd }: WatchedCommand): string | undefined {
  let folder = cwd;
  const words = /[/\\]/.test(command) ? [command, ...args] : args;
  let program: string | undefined;
  for (const [index, word] of words.entries()) {
    if (word.startsWith('-') || word === '' || word.includes('\0')) continue;
    const path = resolve(folder, word);
    if (isFolder(path)) {
      // `uv --directory FOLDER run server.py`
      folder = path;
      continue;
    }
    if (!isFile(path)) continue;
    const isCommand = index === 0 && words.length > args.length;
    if (!isCommand) return path;
    program = path;
  }
  return program !== undefined && extname(program) === '' && isSystem(program) ? undefined : program;
}

/** True for programs that an installation put there, such as an interpreter by its full path. */
function isSystem(path: string): boolean {
  return /[/\\](?:s?bin|shims|Scripts|Program Files[^/\\]*)[/\\]/i.test(path) && !/[/\\]target[/\\]/.test(path);
}

/** Returns the folder of build output in `top` that a script is in: `dist` for `dist/server.js`. */
function outputFolderOf(script: string, top: string): string | undefined {
  let found: string | undefined;
  for (let folder = dirname(script); isInside(top, folder); folder = dirname(folder)) {
    if (OUTPUT.has(basename(folder))) found = folder;
  }
  return found;
}

/** Returns the nearest folder with a mark of a project, or undefined. */
function projectOf(from: string, marks: readonly string[], home: string): string | undefined {
  let folder = from;
  for (let level = 0; level < MOST_LEVELS; level++) {
    if (isWide(folder, home)) return undefined;
    if ([...marks, '.git'].some((mark) => existsSync(join(folder, mark)))) return folder;
    folder = dirname(folder);
  }
  return undefined;
}

/** True for folders that hold far more than one project: home, temporary files, those above them, and the root. */
function isWide(folder: string, home: string): boolean {
  return dirname(folder) === folder || [home, real(tmpdir())].some((at) => folder === at || isInside(folder, at));
}

function isInside(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** The path without links; the path itself if it does not exist. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
