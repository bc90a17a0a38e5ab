/** Secrets in files that programs read: settings, manifests, code, key stores. */
import { base64, json, named, text } from './drafts';
import type { SecretTemplate } from './planted';
import type { Random } from './random';
import { machineValue, password, plainPassword, plainValue } from './values';
import { vendorKey } from './vendor-keys';

/** Names that people shorten or make up. */
const ODD_NAMES =
  'GH_TKN DB_CREDS WIFI_PSK PASSWORD_SALT SIGNING_PEPPER APP_SECRET_BASE AUTHKEY HOOK_SIGNING_KEY USER_PWD DB_PASS API_TKN SVC_CRED ADMIN_PW JWT_SIGN_KEY ROOT_PASSWD LDAP_BIND_PW MASTER_KEY'.split(
    ' ',
  );
const odd = (random: Random) => random.pick(ODD_NAMES);
const camel = (name: string) => name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
/** A key that no rule knows, of characters that need no quotes. */
const token = (random: Random) => random.text('mixed', random.int(24, 44));
const host = (random: Random) => `${random.word()}.${random.word()}.internal`;

export const IN_FILES: readonly SecretTemplate[] = [
  text(machineValue, (s, random) => `PORT=8080\n${odd(random)}=${s}\nMODE=fast\n`),
  text(machineValue, (s, random) => `export ${odd(random)}="${s}"  # rotate in May\nexport PORT=1`),
  text(plainValue, (s, random) => `@echo off\r\nset ${odd(random)}=${s}\r\nnode server.js`),
  text(machineValue, (s, random) => `$env:${odd(random)} = "${s}"\nnpm start`),
  text(machineValue, (s, random) => `${camel(odd(random))}: ${s}\nregion: eu-1`),
  json(machineValue, (s, random) => ({ [camel(odd(random))]: s, region: 'eu-1' })),
  json(machineValue, (s, random) => ({ Config: { Env: ['PATH=/usr/bin', `${odd(random)}=${s}`], Cmd: ['node'] } })),
  text(token, (s) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: app\nstringData:\n  config.yaml: ${s}\n`),
  (random) => {
    const secret = base64(token(random));
    return {
      said: text(
        () => secret,
        (s) => `apiVersion: v1\ndata:\n  ${random.word()}: ${s}\nkind: Secret\nmetadata:\n  name: app\n`,
      )(random).said,
      secrets: [secret],
    };
  },
  text(
    machineValue,
    (s, random) => `env:\n  - name: ${odd(random)}\n    value: "${s}"\n  - name: PORT\n    value: "1"`,
  ),
  text(
    plainValue,
    (s, random) => `services:\n  app:\n    environment:\n      - ${odd(random)}=${s}\n      - PORT=8080\n`,
  ),
  text(machineValue, (s, random) => `FROM node:24\nARG ${odd(random)}=${s}\nENV PORT=1\nRUN npm ci`),
  text(plainPassword, (s, random) => `url: jdbc:mysql://${host(random)}:3306/shop?user=app&password=${s}&useSSL=true`),
  text(
    plainPassword,
    (s, random) =>
      `spring.datasource.url=jdbc:sqlserver://${host(random)}:1433;databaseName=shop;user=sa;password=${s};encrypt=true`,
  ),
  text(plainPassword, (s, random) => `db.url = jdbc:oracle:thin:scott/${s}@//${host(random)}:1521/ORCL`),
  text(
    plainPassword,
    (s, random) => `"Default": "Server=${host(random)},1433;Database=shop;User Id=app;Password=${s};Encrypt=True"`,
  ),
  text(
    token,
    (s) => `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${s}==;EndpointSuffix=core.windows.net`,
  ),
  json(password, (s) => ({
    version: 4,
    outputs: { db_password: { value: s, type: 'string', sensitive: true }, region: { value: 'eu', type: 'string' } },
  })),
  json(password, (s) => ({
    resources: [{ type: 'aws_db_instance', instances: [{ attributes: { master_password: s, port: 5432 } }] }],
  })),
  text(machineValue, (s, random) => `${odd(random).toLowerCase()} = "${s}"\nregion = "eu-central-1"`),
  text(password, (s) => `[client]\nuser = root\npassword = ${s}\nhost = localhost`),
  text(machineValue, (s) => `<configuration>\n  <add key="MapsApiKey" value="${s}" />\n</configuration>`),
  text(plainPassword, (s) => `<connection>\n  <user>app</user>\n  <passwd>${s}</passwd>\n</connection>`),
  text(token, (s) => `<key>ClientSecret</key>\n<string>${s}</string>`),
  text(plainPassword, (s, random) => `machine ${host(random)}\n  login app\n  password ${s}\n`),
  text(token, (s) => `registry=https://npm.acme.io/\n//npm.acme.io/:_authToken=${s}\n`),
  text(plainPassword, (s, random) => `[global]\nindex-url = https://reader:${s}@${host(random)}/simple`),
  json(password, (s) => ({ auths: { 'registry.acme.io': { username: 'ci', password: s } } })),
  (random) => {
    const secret = base64(`ci:${plainPassword(random)}`);
    return json(
      () => secret,
      (s) => ({ auths: { 'registry.acme.io': { auth: s } } }),
    )(random);
  },
  named(['camel', 'snake'], (name, s) => `const config = { ${name}: '${s}', retries: 3 };`),
  named(['upper'], (name, s) => `private static final String ${name} = "${s}";`),
  text(password, (s) => `dataSource.setPassword("${s.replaceAll('"', '')}");`),
  named(['snake'], (name, s) => `${name} := "${s}"\nclient := New(${name})`),
  named(['upper'], (name, s) => `os.environ["${name}"] = "${s}"`),
  named(['upper'], (name, s) => `    ${name} = os.getenv("${name}", "${s}")`),
  text(token, (s) => `SECRET_KEY = 'django-insecure-${s}'\nDEBUG = True`),
  text(
    (random) => random.hex(128),
    (s) => `production:\n  secret_key_base: ${s}\n`,
  ),
  text(
    (random) => random.base64(32),
    (s) => `[Interface]\nAddress = 10.0.0.2/32\nPrivateKey = ${s}\n[Peer]\nAllowedIPs = 0.0.0.0/0`,
  ),
  text(
    (random) => random.base64(32),
    (s) => `[Peer]\nPresharedKey = ${s}\nAllowedIPs = 0.0.0.0/0`,
  ),
  text(plainPassword, (s) => `network={\n  ssid="home"\n  psk="${s}"\n}`),
  text(
    (random) => random.text('upper32', 32),
    (s) => `otpauth://totp/Acme:ann?secret=${s}&issuer=Acme`,
  ),
  text(plainPassword, (s) => `bind 127.0.0.1\nrequirepass ${s}\nmaxmemory 1gb`),
  text(plainPassword, (s) => `rootdn "cn=admin"\nbindpw ${s}\nbase dc=acme`),
  text(token, (s) => `users:\n- name: admin\n  user:\n    token: ${s}\n`),
  (random) => {
    const secret = random.base64(180);
    return text(
      () => secret,
      (s) => `users:\n- name: admin\n  user:\n    client-key-data: ${s}\n`,
    )(random);
  },
  json(
    (random) => random.text('url', 43),
    (s) => ({ keys: [{ kty: 'oct', kid: 'a1', alg: 'HS256', k: s }] }),
  ),
  json(
    (random) => random.text('url', 43),
    (s) => ({ kty: 'OKP', crv: 'Ed25519', x: 'abc', d: s }),
  ),
  text(token, (s) => `auth:\n  token: >-\n    ${s}\n  user: ann`),
  text(vendorKey, (s) => `# keys\nmain=${s}\n`),
  text(vendorKey, (s) => `notes: key${s.startsWith('-') ? ' ' : ': '}${s},next`),
  text(token, (s) => `proxy_set_header X-Internal-Auth "${s}";`),
  text(token, (s) => `provider "acme" {\n  api_token = "${s}"\n  url = "https://acme.io"\n}`),
  text(token, (s) => `[remote]\n\turl = https://oauth2:${s}@git.acme.io/team/app.git\n\tfetch = +refs/*:refs/*`),
  text(
    (random) => `${random.text('mixed', 8)}/${random.text('mixed', 8)}`,
    (s, random) => `DATABASE_URL=postgres://app:${s}@${host(random)}:5432/shop`,
  ),
];
