import type { Target } from './command';
import { isUrl } from './url';

/** Programs that run another program, which their arguments name. */
const RUNNERS = /^(?:node|npx|bunx?|deno|python[\d.]*|uvx?|pnpm|yarn|npm|tsx|ruby|java|sh|bash|zsh)(?:\.exe|\.cmd)?$/;
const CONTAINERS = /^(?:docker|podman|nerdctl)(?:\.exe)?$/;
/** Options of container runtimes without a value. All others have one. */
const FLAGS_WITHOUT_VALUE =
  /^(?:-[diPqt]+|--(?:detach|init|interactive|no-healthcheck|oom-kill-disable|privileged|publish-all|quiet|read-only|rm|sig-proxy|tty))$/;
const SUBCOMMANDS = /^(?:run|exec|dlx|x)$/;
/** The next argument is a module that runs before the program, or another value. */
const VALUE_FLAGS = /^(?:-r|--require|--import|--(?:experimental-)?loader|-C|--conditions|--env-file)$/;
/** The next argument is a program's text. It is not a name, and may hold secrets. */
const PROGRAM_TEXT_FLAGS = /^(?:-\w*c|-\w*e|-p|--eval|--print|--command)$/;

interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Returns a short name for people: the script, package or image, not the program that runs it. Never contains variables
 * or values of flags.
 */
export function commandName({ command, args }: CommandLine): string {
  const program = lastSegment(command);
  if (program === 'env' || program === 'opentelemetry-instrument') {
    // `env -i A=1 node server.js` runs the first word that is neither an option nor a variable.
    const at = args.findIndex(isName);
    return at < 0 ? program : commandName({ command: args[at]!, args: args.slice(at + 1) });
  }
  if (CONTAINERS.test(program)) return imageIn(args) ?? program;
  if (!RUNNERS.test(program)) return program;
  const at = args.findIndex((arg, index) => {
    if (index > 0 && VALUE_FLAGS.test(args[index - 1]!)) return false;
    return PROGRAM_TEXT_FLAGS.test(arg) || (isName(arg) && !SUBCOMMANDS.test(arg));
  });
  const word = args[at];
  return (word !== undefined && isName(word) && scriptName(word)) || program;
}

/** Scripts and folders whose names say nothing about the server. */
const COMMON_SCRIPTS = /^(?:index|main|cli|__main__)\.\w{1,4}$/;
const COMMON_FOLDERS = /^(?:dist|build|out|lib|src|bin|cjs|esm|\.{0,2}|\w:)$/;

/** `everything/dist/index.js` → `everything`, but `dist/index.js` → `index.js`. */
function scriptName(path: string): string {
  const script = lastSegment(path);
  if (!COMMON_SCRIPTS.test(script)) return script;
  const folders = path.split(/[/\\]/).slice(0, -1);
  return folders.findLast((folder) => !COMMON_FOLDERS.test(folder)) ?? script;
}

function isName(word: string): boolean {
  return !word.startsWith('-') && !word.includes('=');
}

/** `docker run -i -e KEY=x ghcr.io/me/server:1` → `server`. */
function imageIn(args: readonly string[]): string | undefined {
  let at = args.findIndex((arg) => SUBCOMMANDS.test(arg)) + 1;
  while (args[at]?.startsWith('-')) at += FLAGS_WITHOUT_VALUE.test(args[at]!) || args[at]!.includes('=') ? 1 : 2;
  return args[at] && lastSegment(args[at]!.replace(/@.*/, '')).replace(/:.*/, '');
}

function lastSegment(path: string): string {
  return path.split(/[/\\]/).pop() || path;
}

/**
 * Returns a text for the program that a target starts: its command with the script, package or image, without version;
 * the origin of a URL. Values that were given to one program must not reach another one.
 */
export function programOf(target: Target): string {
  if (target.transport === 'stdio') {
    const name = commandName(target);
    const run = target.args.find((arg) => arg.includes(name)) ?? '';
    return JSON.stringify([target.command, run.replace(/(?<=..)[@:][^/\\]*$/, '')]);
  }
  return isUrl(target.url) ? new URL(target.url).origin : target.url;
}
