/** The names in the library for options of the command line. Absent: the library has nothing like it. */
const LIBRARY_WORDS: Readonly<Record<string, string>> = {
  'allow-link-local': 'allowLinkLocal',
  allow: 'allow',
  answers: 'sampling`, `elicitation` or `roots',
  auth: 'headers',
  baseline: 'baseline',
  budget: 'budget',
  capabilities: 'capabilities',
  client: 'clientInfo',
  compare: 'compare',
  config: 'config',
  cwd: 'cwd',
  env: 'env',
  'fail-on': 'failOn',
  header: 'headers',
  ignore: 'ignore',
  input: 'inputs',
  'log-level': 'logLevel',
  meta: 'meta',
  'on-miss': 'onMiss',
  pace: 'pace',
  pins: 'pins',
  port: 'port',
  protocol: 'protocol',
  record: 'record',
  'request-timeout': 'timeoutMs',
  secret: 'secrets',
  server: 'server',
  settings: 'settings',
  task: 'task: true',
  timeout: 'timeoutMs',
  transport: 'transport',
  update: 'update: true',
};

/** An option with its value, with or without the backticks around it. Any other value gets backticks of its own. */
const OPTION =
  /(`?)--([a-z][a-z-]*)(?:[= ](ca|cert|key|passphrase-env|insecure|minimal|auto)(?:=[A-Z]+)?|[= ](?:[A-Z]{2,}\b(?:=[A-Z]+)?|sse|http|none|all))?(`|[= ](?=[^`\n]+`))?/g;

/** A place of the command line. */
const PLACE = / (?:after|in) `(?:check|diff|replay|test)`/g;

/** Returns a sentence that names options of the command line with those of the library. */
export function inLibraryWords(sentence: string): string {
  return sentence
    .replace(PLACE, '')
    .replace(OPTION, (whole, open: string, name: string, key: string | undefined, end = '') => {
      const known = key === 'minimal' ? 'cleanEnv' : LIBRARY_WORDS[name];
      const word = name === 'tls' ? tlsWord(key) : known;
      if (word === undefined) return whole;
      if (end === '' || end === '`') return `\`${word}\``;
      return open === '' ? `\`${word}\`${end}` : `\`${word}\` \``;
    });
}

function tlsWord(key: string | undefined): string {
  return key === undefined ? 'tls' : `tls.${key === 'passphrase-env' ? 'passphraseEnv' : key}`;
}
