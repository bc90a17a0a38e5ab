/** Secrets in settings files, and values that only their name gives away. */
import { call, printed, structured } from './carriers';
import { json, named, text } from './drafts';
import type { Draft, SecretClass } from './planted';
import type { Random } from './random';
import { cased, lettersOnly, machineValue, password, shortValue } from './values';

export const IN_SETTINGS: SecretClass = {
  id: 'YAML, INI, TOML',
  count: 28,
  templates: [
    named(
      ['snake', 'camel', 'kebab'],
      (name, s, random) =>
        `server:\n  port: ${random.int(3000, 9000)}\n${random.word()}:\n  ${name}: ${s}\n  retries: 3`,
    ),
    named(['snake', 'camel'], (name, s) => `auth:\n  ${name}: "${s}"\n`),
    named(['snake', 'camel'], (name, s) => `auth:\n    ${name}: '${s}'   # rotate in June\n`),
    named(['snake', 'kebab'], (name, s) => `auth:\n  ${name}: >-\n    ${s}\n  user: ann\n`),
    named(['snake', 'kebab'], (name, s) => `[default]\nregion = eu-west-1\n${name} = ${s}\n`),
    named(['snake', 'kebab'], (name, s) => `; settings\n[acme]\n${name}=${s}`),
    named(['snake', 'kebab'], (name, s) => `[acme]\nurl = "https://api.acme.io"\n${name} = "${s}"\n`),
    named(['camel', 'snake'], (name, s) => `acme.url=https://api.acme.io\nacme.${name}=${s}\nacme.retries=3`),
    named(['camel', 'snake'], (name, s) => `acme { url = "https://api.acme.io", ${name} = "${s}" }`),
    named(['snake'], (name, s) => `variable "${name}" {\n  type    = string\n  default = "${s}"\n}`),
    named(['snake'], (name, s) => `  + ${name} = "${s}"`),
    named(['camel', 'pascal'], (name, s) => `<add key="${name}" value="${s}" />`),
    named(['camel', 'snake'], (name, s) => `<config>\n  <${name}>${s}</${name}>\n</config>`),
    named(['camel', 'snake'], (name, s) => `const config = {\n  ${name}: '${s}',\n  debug: false,\n};`),
    named(['snake'], (name, s) => `client = Acme(${name}="${s}", timeout=30)`),
    named(['camel'], (name, s) => `val ${name} = "${s}"`),
    text(password, (s) => `machine api.acme.io\n  login ann\n  password ${s}\n`),
    text(password, (s) => `db.internal:5432:shop:app:${s}\n`),
    text(machineValue, (s) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: app\nstringData:\n  config: ${s}\n`),
    text(machineValue, (s) => `[profile prod]\naws_secret_access_key = ${s}\naws_session_token = none`),
    text(machineValue, (s) => `//registry.npmjs.org/:_authToken=${s}\nregistry=https://registry.npmjs.org/`),
    text(machineValue, (s) => `[distutils]\nindex-servers = pypi\n[pypi]\nusername = __token__\npassword = ${s}`),
    text(machineValue, (s) => `[Interface]\nAddress = 10.7.0.2/32\nPrivateKey = ${s}\n`),
    text(password, (s) => `| user | password |\n|---|---|\n| ann | ${s} |\n`),
    text(machineValue, (s, random) => `id,name,api_key\n${random.int(1, 99)},${random.word()},${s}\n`),
    text(machineValue, (s) => `- hosts: all\n  vars:\n    ansible_become_password: ${s}`),
    text(machineValue, (s) => `spring.datasource.username=app\nspring.datasource.password=${s}`),
    text(machineValue, (s) => `users:\n- name: admin\n  user:\n    token: ${s}`),
    named(['snake', 'camel'], (name, s) => `${name}:\n  - ${s}\n`),
    named(['snake', 'kebab'], (name, s) => `app:\n  credentials:\n    ${name}: &shared ${s}\n`),
    named(['snake'], (name, s) => `[[servers]]\nname = "a"\n${name} = '${s}'`),
    named(['snake'], (name, s) => `[tool.acme]\n${name} = """${s}"""`),
    named(['kebab'], (name, s) => `--- a/app.yml\n+++ b/app.yml\n@@ -1,2 +1,2 @@\n-  ${name}: none\n+  ${name}: ${s}`),
    named(['camel'], (name, s) => `export default defineConfig({ server: { ${name}: "${s}" } })`),
    named(['camel'], (name, s) => `<property name="${name}" value="${s}"/>`),
    named(['camel'], (name, s) => `<entry key="${name}">${s}</entry>`),
    named(['camel'], (name, s) => `<key>${name}</key>\n<string>${s}</string>`),
    named(['snake'], (name, s) => `provider "acme" {\n  ${name} = "${s}"\n  region = "eu"\n}`),
    named(['snake'], (name, s) => `output "${name}" {\n  value = "${s}"\n}`),
    named(['snake'], (name, s) => `${name} := "${s}"`),
    named(['snake'], (name, s) => `let ${name} = "${s}";`),
    named(['camel'], (name, s) => `private static final String ${name} = "${s}";`),
    named(['snake'], (name, s) => `$config['${name}'] = '${s}';`),
    named(['snake'], (name, s) => `'${name}' => '${s}',`),
    named(['snake'], (name, s) => `:${name}: ${s}`),
    named(['snake'], (name, s) => `set ${name} "${s}"`),
    named(['snake'], (name, s) => `${name} ${s};`),
    text(password, (s) => `default login ann password ${s}\n`),
    text(password, (s) => `*:5432:*:app:${s}\n`),
    text(password, (s) => `[client]\nuser=root\npassword="${s}"\nhost=db`),
    text(password, (s) => `[mail]\nsmtp_user = ann\nsmtp_pass = ${s}`),
    text(password, (s) => `requirepass ${s}\nmaxmemory 1gb`),
    text(password, (s) => `wpa_passphrase=${s}\nssid=office`),
    text(password, (s) => `network={\n  ssid="office"\n  psk="${s}"\n}`),
    text(password, (s) => ` username | password\n----------+----------\n ann      | ${s}\n(1 row)`),
    text(password, (s) => `username,password,role\nann,${s},admin\n`),
    text(machineValue, (s) => `INSERT INTO api_keys (owner, api_key) VALUES ('ann', '${s}');`),
    text(machineValue, (s) => `machine api.heroku.com login ann password ${s}`),
    text(machineValue, (s) => `[registries.acme]\ntoken = "${s}"`),
    text(machineValue, (s) => `:rubygems_api_key: ${s}`),
    text(machineValue, (s) => `<server><id>acme</id><password>${s}</password></server>`),
    text(machineValue, (s) => `<add key="ClearTextPassword" value="${s}" />`),
    text(machineValue, (s) => `accounts:\n  acme:\n    oauth_token: ${s}\n    git_protocol: https`),
    text(machineValue, (s) => `kind: Secret\napiVersion: v1\nstringData:\n  password: ${s}\n`),
    text(machineValue, (s) => `sealed: false\nInitial Root Token: ${s}`),
    text(machineValue, (s) => `PresharedKey = ${s}\nEndpoint = vpn.acme.io:51820`),
  ],
};

const SHORT: readonly ((name: string, s: string, random: Random) => string | object)[] = [
  (name, s) => ({ [name]: s }),
  (name, s) => ({ user: 'ann', [name]: s }),
  (name, s) => `${name}: ${s}`,
  (name, s) => `${name}=${s}`,
  (name, s) => `${name} = "${s}"`,
  (name, s) => `auth:\n  user: ann\n  ${name}: ${s}\n`,
  (name, s) => `run --${name.replaceAll('_', '-')} ${s} --once`,
  (name, s) => `run --${name.replaceAll('_', '-')}=${s}`,
  (name, s) => `https://acme.io/?${name}=${s}&x=1`,
  (name, s, random) => `${random.time()} login ok ${name}=${s} ms=12`,
];
const SHORT_NAMES = [
  'password',
  'db_password',
  'api_key',
  'token',
  'client_secret',
  'auth_token',
  'passwd',
  'admin_password',
  'secret',
];

const short = (make: (random: Random) => string, name: (random: Random) => string) =>
  SHORT.map((write) => (random: Random): Draft => {
    const s = make(random);
    const written = write(name(random), s, random);
    return { said: typeof written === 'string' ? printed(written, random) : structured(written, random), secrets: [s] };
  });

/** Values that only their name gives away. */
export const SHORT_OR_LETTERS: SecretClass = {
  id: 'short or letters only',
  count: 28,
  templates: [
    ...short(shortValue, (random) => random.pick(SHORT_NAMES)),
    ...short(shortValue, (random) =>
      cased(random.pick(SHORT_NAMES).replaceAll('_', ' '), random.pick(['upper', 'camel'])),
    ),
    ...short(lettersOnly, (random) => random.pick(SHORT_NAMES)),
    text(lettersOnly, (s) => `Authorization: Bearer ${s}`),
    json(lettersOnly, (s) => ({ headers: { authorization: `Bearer ${s}` } })),
    json(lettersOnly, (s) => ({ headers: { 'x-api-key': s } })),
    text(shortValue, (s) => `ftp://ann:${s}@files.acme.io/`),
    text(lettersOnly, (s) => `postgres://app:${s}@db.internal/shop`),
    (random) => {
      const s = `${random.int(100000, 99999999)}`;
      return { said: [call('unlock', { pin: s, passcode: s })], secrets: [s] };
    },
  ],
};
