/** How likely a finding is a secret: `certain` by shape or place, `likely`, or only `possible`. */
export type SecretRank = 'certain' | 'likely' | 'possible';

/** A person's choice for a value when a recording is shared. */
export type ShareDecision = 'mask' | 'keep';

/** A kind of secret or private data. */
export interface SecretRule {
  /** For people, in the middle of a sentence. */
  readonly label: string;
  readonly rank: SecretRank;
  /** Applies unless a person decides otherwise. */
  readonly decision: ShareDecision;
}

const certain = (label: string): SecretRule => ({ label, rank: 'certain', decision: 'mask' });
const likely = (label: string): SecretRule => ({ label, rank: 'likely', decision: 'mask' });

/** All rules by id. Placeholders contain the id: `[redacted:jwt:1a2b3c4d]`. */
export const SECRET_RULES = {
  late: certain('value whose name came later'),
  given: certain('value given to the server'),
  'private-key': certain('private key'),
  password: certain('password'),
  'password-hash': certain('password hash'),
  'seed-phrase': certain('seed phrase'),
  secret: certain('secret'),
  token: certain('token'),
  'api-key': certain('API key'),
  authorization: certain('authorization'),
  cookie: certain('cookie'),
  credential: certain('credential'),
  userinfo: certain('user and password in a URL'),
  session: certain('session'),
  oauth: certain('OAuth code or state'),
  jwt: certain('JSON Web Token'),
  aws: certain('AWS key'),
  github: certain('GitHub token'),
  gitlab: certain('GitLab token'),
  slack: certain('Slack token'),
  openai: certain('OpenAI key'),
  anthropic: certain('Anthropic key'),
  google: certain('Google key or token'),
  stripe: certain('Stripe key'),
  npm: certain('npm token'),
  pypi: certain('PyPI token'),
  'hugging-face': certain('Hugging Face token'),
  azure: certain('Azure secret'),
  twilio: certain('Twilio key'),
  sendgrid: certain('SendGrid key'),
  digitalocean: certain('DigitalOcean token'),
  linear: certain('Linear key'),
  notion: certain('Notion token'),
  postman: certain('Postman key'),
  'secret-name': likely('value with a secret’s name'),
  'url-path': likely('key in the path of a URL'),
  'home-path': { label: 'home folder', rank: 'possible', decision: 'mask' },
  email: { label: 'e-mail address', rank: 'possible', decision: 'mask' },
  random: { label: 'random-looking text', rank: 'possible', decision: 'keep' },
  'too-many': certain('message with too many secrets'),
  pattern: certain('your own pattern'),
} as const satisfies Readonly<Record<string, SecretRule>>;

export type RuleId = keyof typeof SECRET_RULES;
