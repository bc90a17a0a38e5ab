/** Variables that make a program load or run other code: fine in your own config, an attack in a pasted one. */
const DANGEROUS = new Set(
  `PATH PATHEXT SHELL COMSPEC ENV BASH_ENV
  NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE BUN_OPTIONS
  PYTHONPATH PYTHONSTARTUP PYTHONHOME PYTHONUSERBASE PYTHONBREAKPOINT PYTHONWARNINGS
  RUBYOPT RUBYLIB GEM_HOME GEM_PATH BUNDLE_GEMFILE PERL5OPT PERL5LIB PERL5DB
  JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS CLASSPATH
  DOTNET_STARTUP_HOOKS DOTNET_ADDITIONAL_DEPS GOFLAGS RUSTC RUSTC_WRAPPER`.split(/\s+/),
);
/** Loaders, profilers, package managers and git, each with many variables. */
const PREFIXES = ['LD_', 'DYLD_', 'LUA_', 'COR_', 'CORECLR_', 'NPM_CONFIG_', 'YARN_', 'UV_', 'PIP_', 'CARGO_', 'GIT_'];

/** True for a variable that decides what code runs, in any case: Windows ignores case. */
export function isDangerousName(name: string): boolean {
  const upper = name.trim().toUpperCase();
  return DANGEROUS.has(upper) || PREFIXES.some((prefix) => upper.startsWith(prefix));
}
