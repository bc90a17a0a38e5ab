/** Programs that run another one: the name is in their arguments. */
const RUNNERS = /^(?:node|npx|bunx?|deno|python[\d.]*|uvx?|pnpm|yarn|npm|tsx|ruby|java|sh|bash|zsh)(?:\.exe|\.cmd)?$/;
const CONTAINERS = /^(?:docker|podman|nerdctl)(?:\.exe)?$/;
/** Their options that have no value behind them; all others do. */
const ALONE =
  /^(?:-[diPqt]+|--(?:detach|init|interactive|no-healthcheck|oom-kill-disable|privileged|publish-all|quiet|read-only|rm|sig-proxy|tty))$/;
const SUBCOMMANDS = /^(?:run|exec|dlx|x)$/;
/** What follows is a program's text, which is no name, and may hold anything. */
const TEXTS = /^(?:-\w*c|-\w*e|-p|--eval|--print|--command)$/;

interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** A short name for people: the script, package or image that runs, not the program that runs it. Never what a server is given: variables, values of flags. */
export function commandName({ command, args }: Command): string {
  const program = lastSegment(command);
  if (program === 'env') {
    // `env -i A=1 node server.js` runs the first word that is neither an option nor a variable.
    const at = args.findIndex(isName);
    return at < 0 ? program : commandName({ command: args[at]!, args: args.slice(at + 1) });
  }
  if (CONTAINERS.test(program)) return imageIn(args) ?? program;
  if (!RUNNERS.test(program)) return program;
  const at = args.findIndex((arg) => TEXTS.test(arg) || (isName(arg) && !SUBCOMMANDS.test(arg)));
  const word = args[at];
  return (word !== undefined && isName(word) && lastSegment(word)) || program;
}

function isName(word: string): boolean {
  return !word.startsWith('-') && !word.includes('=');
}

/** `docker run -i -e KEY=x ghcr.io/me/server:1` → `server`. */
function imageIn(args: readonly string[]): string | undefined {
  let at = args.findIndex((arg) => SUBCOMMANDS.test(arg)) + 1;
  while (args[at]?.startsWith('-')) at += ALONE.test(args[at]!) || args[at]!.includes('=') ? 1 : 2;
  return args[at] && lastSegment(args[at]!.replace(/@.*/, '')).replace(/:.*/, '');
}

function lastSegment(path: string): string {
  return path.split(/[/\\]/).pop() || path;
}
