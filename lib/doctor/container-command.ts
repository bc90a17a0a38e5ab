/** Options of `docker run` and `docker exec` that take no value. Every other long option takes one. */
const FLAGS: ReadonlySet<string> = new Set([
  'rm',
  'init',
  'tty',
  'interactive',
  'detach',
  'privileged',
  'read-only',
  'publish-all',
  'no-healthcheck',
  'oom-kill-disable',
  'sig-proxy',
  'quiet',
  'disable-content-trust',
  'use-api-socket',
  'help',
  'replace',
  'no-hosts',
  'no-hostname',
]);
/** Short options without a value, and their long names. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['i', 'interactive'],
  ['t', 'tty'],
  ['d', 'detach'],
  ['P', 'publish-all'],
  ['q', 'quiet'],
]);
const PROGRAMS = /(?:^|[\\/])(docker|podman|nerdctl)(?:\.exe)?$/i;

/** How a command runs a server in a container. */
export interface ContainerCommand {
  /** `docker run`, `podman exec` … */
  readonly shown: string;
  /** The container gets our stdin: `-i`. */
  readonly isInteractive: boolean;
  /** `-t` */
  readonly hasTerminal: boolean;
  /** `-d` */
  readonly isDetached: boolean;
}

/** Reads a command that runs a program in a container; undefined for any other. */
export function containerCommand(command: string, args: readonly string[]): ContainerCommand | undefined {
  const [, program] = PROGRAMS.exec(command) ?? [];
  const at = args.findIndex((word) => word === 'run' || word === 'exec');
  // `docker compose run` passes stdin on by itself, and `docker mcp gateway run` is a program of this machine.
  if (program === undefined || at < 0 || !args.slice(0, at).every(isGlobal)) return undefined;
  const given = optionsIn(args.slice(at + 1));
  return {
    shown: `${program.toLowerCase()} ${args[at]}`,
    isInteractive: given.has('interactive'),
    hasTerminal: given.has('tty'),
    isDetached: given.has('detach'),
  };
}

/** Commands of plugins that run something else, after an option that takes no value. */
const PLUGINS: ReadonlySet<string> = new Set(['compose', 'mcp']);

/** True for an option before `run`, its value, and the long form `docker container run`. */
function isGlobal(word: string, at: number, words: readonly string[]): boolean {
  const isValue = (words[at - 1] ?? '').startsWith('-') && !PLUGINS.has(word);
  return word.startsWith('-') || word === 'container' || isValue;
}

/** Returns the options without a value that stand before the image. */
function optionsIn(words: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (let at = 0; at < words.length && words[at]!.startsWith('-'); at++) {
    const word = words[at]!;
    if (word === '--') break;
    if (word.startsWith('--')) {
      const [name = '', value] = word.slice(2).split('=', 2);
      if (!FLAGS.has(name)) at += value === undefined ? 1 : 0;
      else if (value !== 'false') found.add(name);
      continue;
    }
    const letters = [...word.slice(1)];
    const valued = letters.findIndex((letter) => !SHORT.has(letter));
    for (const letter of valued < 0 ? letters : letters.slice(0, valued)) found.add(SHORT.get(letter)!);
    if (valued === letters.length - 1) at++;
  }
  return found;
}
