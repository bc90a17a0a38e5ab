/** Variables that make a program load or run other code: fine in your own config, an attack in a pasted one. */
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

/** True for a variable that decides what code runs, in any case: Windows ignores case. */
export function isDangerousName(name: string): boolean {
  const upper = name.trim().toUpperCase();
  return DANGEROUS.has(upper) || upper.startsWith('DYLD_') || upper.startsWith('NPM_CONFIG_');
}
