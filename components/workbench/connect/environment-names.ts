/** Variables that make a program load or run something else: harmless in a config of one's own, an attack in a pasted one. */
const DANGEROUS = new Set([
  'PATH',
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_REPL_EXTERNAL_MODULE',
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'LD_AUDIT',
  'PYTHONPATH',
  'PYTHONSTARTUP',
  'PYTHONHOME',
  'RUBYOPT',
  'PERL5OPT',
  'JAVA_TOOL_OPTIONS',
  'BASH_ENV',
  'ENV',
  'SHELL',
  'COMSPEC',
  'PATHEXT',
]);

/** True for a variable that decides what code runs. Case matters nowhere: Windows doesn't tell cases apart. */
export function isDangerousName(name: string): boolean {
  const upper = name.trim().toUpperCase();
  return DANGEROUS.has(upper) || upper.startsWith('DYLD_') || upper.startsWith('NPM_CONFIG_');
}

const SECRET =
  /(?:^|[_-])(?:token|secret|password|passwd|pass|pwd|key|apikey|auth|credentials?|cookie|dsn|pat)(?:$|[_-])/i;

/** True for a variable whose value is better not shown. `PWD` is where a shell is. */
export function isSecretName(name: string): boolean {
  return name.trim() !== 'PWD' && SECRET.test(name.trim());
}
