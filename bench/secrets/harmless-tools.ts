/** Texts without secrets, written after what development tools print. */
import type { HarmlessText } from './harmless';
import type { Random } from './random';

const many = (random: Random, least: number, most: number, line: (at: number) => string) =>
  Array.from({ length: random.int(least, 3 * most) }, (_, at) => line(at)).join('\n');
const sha1 = (random: Random) => random.hex(40);
const version = (random: Random) => `${random.int(0, 12)}.${random.int(0, 30)}.${random.int(0, 20)}`;
const path = (random: Random) =>
  `${random.pick(['src', 'lib', 'app', 'packages/core'])}/${random.word()}-${random.word()}.${random.pick(['ts', 'tsx', 'py', 'go', 'rs'])}`;

export const OF_TOOLS: readonly HarmlessText[] = [
  [
    'git log',
    (random) =>
      many(random, 5, 12, () => {
        const who = random.person();
        return `commit ${sha1(random)}\nAuthor: ${who.name} <${who.mail}>\nDate:   ${new Date(random.time()).toUTCString()}\n\n    ${random.pick(['fix', 'add', 'remove', 'token'])}: ${random.words(5)}\n`;
      }),
  ],
  ['git log --oneline', (random) => many(random, 10, 30, () => `${random.hex(7)} ${random.words(4)}`)],
  [
    'git diff',
    (random) =>
      `diff --git a/${path(random)} b/${path(random)}\nindex ${random.hex(7)}..${random.hex(7)} 100644\n--- a/src/auth.ts\n+++ b/src/auth.ts\n@@ -${random.int(1, 90)},7 +${random.int(1, 90)},9 @@ export async function signIn(user, password) {\n-  const token = await createToken(user);\n+  const token = await createToken(user, { expiresIn: '15m' });\n+  if (!token) throw new AuthError('no token');\n   return { token, user };\n }`,
  ],
  [
    'git blame',
    (random) =>
      many(
        random,
        8,
        20,
        (at) =>
          `${random.hex(8)} (${random.person().name.padEnd(18)} 2025-0${random.int(1, 9)}-1${random.int(0, 9)} 10:2${random.int(0, 9)}:11 +0200 ${String(at + 1).padStart(3)})   const ${random.word()}Key = keys[${at}];`,
      ),
  ],
  [
    'git remote and branches',
    (random) =>
      `origin\tgit@github.com:acme/${random.word()}.git (fetch)\n* main                ${random.hex(9)} [origin/main] ${random.words(4)}\n  feature/token-limit ${random.hex(9)} ${random.words(3)}`,
  ],
  ['git ls-tree', (random) => many(random, 10, 25, () => `100644 blob ${sha1(random)}\t${path(random)}`)],
  [
    'npm audit',
    (random) =>
      `# npm audit report\n\n${random.word()}  <${version(random)}\nSeverity: high\n${random.word()} vulnerable to Regular Expression Denial of Service - https://github.com/advisories/GHSA-${random.text('lowerDigits', 4)}-${random.text('lowerDigits', 4)}-${random.text('lowerDigits', 4)}\nfix available via \`npm audit fix\`\nnode_modules/${random.word()}\n\n${random.int(1, 9)} vulnerabilities (2 moderate, 1 high)`,
  ],
  [
    'npm ls',
    (random) =>
      `app@${version(random)} /srv/app\n${many(random, 10, 25, () => `├── ${random.word()}-${random.word()}@${version(random)}`)}`,
  ],
  [
    'package-lock.json',
    (random) =>
      JSON.stringify(
        {
          lockfileVersion: 3,
          packages: Object.fromEntries(
            Array.from({ length: random.int(8, 20) }, () => {
              const name = `${random.word()}-${random.word()}`;
              return [
                `node_modules/${name}`,
                {
                  version: version(random),
                  resolved: `https://registry.npmjs.org/${name}/-/${name}-${version(random)}.tgz`,
                  integrity: `sha512-${random.base64(64)}`,
                  license: 'MIT',
                },
              ];
            }),
          ),
        },
        null,
        2,
      ),
  ],
  [
    'yarn.lock',
    (random) =>
      many(
        random,
        6,
        15,
        () =>
          `"${random.word()}@npm:^${version(random)}":\n  version: ${version(random)}\n  resolution: "${random.word()}@npm:${version(random)}"\n  checksum: 10c0/${random.hex(128)}\n  languageName: node\n  linkType: hard\n`,
      ),
  ],
  [
    'pnpm-lock.yaml',
    (random) =>
      `lockfileVersion: '9.0'\npackages:\n${many(random, 6, 15, () => `  ${random.word()}@${version(random)}:\n    resolution: {integrity: sha512-${random.base64(64)}}\n    engines: {node: '>=18'}`)}`,
  ],
  [
    'Cargo.lock',
    (random) =>
      many(
        random,
        6,
        15,
        () =>
          `[[package]]\nname = "${random.word()}"\nversion = "${version(random)}"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "${random.hex(64)}"\n`,
      ),
  ],
  [
    'go.sum',
    (random) =>
      many(
        random,
        8,
        20,
        () => `github.com/${random.word()}/${random.word()} v${version(random)} h1:${random.base64(32)}`,
      ),
  ],
  [
    'poetry.lock',
    (random) =>
      `[[package]]\nname = "${random.word()}"\nversion = "${version(random)}"\npython-versions = ">=3.9"\nfiles = [\n${many(random, 4, 10, () => `    {file = "${random.word()}-${version(random)}-py3-none-any.whl", hash = "sha256:${random.hex(64)}"},`)}\n]`,
  ],
  [
    'pip freeze with hashes',
    (random) =>
      many(random, 6, 14, () => `${random.word()}==${version(random)} \\\n    --hash=sha256:${random.hex(64)}`),
  ],
  [
    'docker ps',
    (random) =>
      `CONTAINER ID   IMAGE                 COMMAND                  CREATED        STATUS        PORTS                    NAMES\n${many(random, 4, 10, () => `${random.hex(12)}   acme/${random.word()}:${version(random)}   "docker-entrypoint.s…"   ${random.int(2, 20)} hours ago   Up 3 hours    0.0.0.0:${random.int(3000, 9000)}->80/tcp   ${random.word()}_${random.word()}`)}`,
  ],
  [
    'docker images',
    (random) =>
      `REPOSITORY   TAG   IMAGE ID   CREATED   SIZE\n${many(random, 4, 10, () => `acme/${random.word()}   ${version(random)}   sha256:${random.hex(64)}   3 days ago   ${random.int(20, 900)}MB`)}`,
  ],
  [
    'docker pull',
    (random) =>
      `latest: Pulling from library/${random.word()}\n${many(random, 5, 9, () => `${random.hex(12)}: Pull complete`)}\nDigest: sha256:${random.hex(64)}\nStatus: Downloaded newer image`,
  ],
  [
    'docker inspect',
    (random) =>
      JSON.stringify(
        [
          {
            Id: random.hex(64),
            Created: random.time(),
            Image: `sha256:${random.hex(64)}`,
            NetworkSettings: { NetworkID: random.hex(64), EndpointID: random.hex(64), MacAddress: '02:42:ac:11:00:02' },
            Mounts: [{ Type: 'volume', Name: random.hex(64) }],
          },
        ],
        null,
        2,
      ),
  ],
  [
    'kubectl get pods',
    (random) =>
      `NAMESPACE     NAME                          READY   STATUS    RESTARTS   AGE\n${many(random, 8, 20, () => `default       ${random.word()}-${random.text('lowerDigits', 10)}-${random.text('lowerDigits', 5)}   1/1     Running   ${random.int(0, 9)}          ${random.int(1, 90)}d`)}`,
  ],
  [
    'kubectl get secrets',
    (random) =>
      `NAME                  TYPE                                  DATA   AGE\n${many(random, 4, 10, () => `${random.word()}-token-${random.text('lowerDigits', 5)}   kubernetes.io/service-account-token   3      ${random.int(1, 400)}d`)}\napp-tls               kubernetes.io/tls                     2      12d`,
  ],
  [
    'kubectl describe pod',
    (random) =>
      `Name:             ${random.word()}-${random.text('lowerDigits', 10)}\nService Account:  default\nLabels:           pod-template-hash=${random.hex(10)}\nContainers:\n  app:\n    Container ID:  containerd://${random.hex(64)}\n    Image ID:      registry.k8s.io/app@sha256:${random.hex(64)}\n    Environment:\n      DB_PASSWORD:  <set to the key 'password' in secret 'db'>  Optional: false\n      API_TOKEN:    <set to the key 'token' in secret 'api'>  Optional: false`,
  ],
  [
    'terraform plan',
    (random) =>
      `  # aws_instance.${random.word()} will be created\n  + resource "aws_instance" "web" {\n      + ami           = "ami-${random.hex(17)}"\n      + arn           = (known after apply)\n      + key_name      = "deploy"\n      + password_data = (known after apply)\n      + id            = (known after apply)\n      + subnet_id     = "subnet-${random.hex(17)}"\n    }\n  ~ master_password = (sensitive value)`,
  ],
  [
    'aws ec2 ids',
    (random) =>
      JSON.stringify(
        {
          Instances: Array.from({ length: random.int(3, 8) }, () => ({
            InstanceId: `i-${random.hex(17)}`,
            ImageId: `ami-${random.hex(17)}`,
            VpcId: `vpc-${random.hex(17)}`,
            KeyName: random.word(),
            State: 'running',
            ClientToken: '',
          })),
        },
        null,
        2,
      ),
  ],
  [
    'tsc errors',
    (random) =>
      many(
        random,
        5,
        12,
        () =>
          `${path(random)}(${random.int(1, 400)},${random.int(1, 80)}): error TS2345: Argument of type 'string | undefined' is not assignable to parameter of type 'AccessToken'.`,
      ),
  ],
  [
    'eslint',
    (random) =>
      many(
        random,
        5,
        12,
        () =>
          `/srv/app/${path(random)}\n  ${random.int(1, 300)}:${random.int(1, 60)}  warning  'apiKey' is assigned a value but never used  no-unused-vars`,
      ),
  ],
  [
    'vitest',
    (random) =>
      ` ✓ ${path(random)} (${random.int(3, 40)} tests) ${random.int(10, 900)}ms\n   ✓ rejects a wrong password\n   ✓ refreshes the token\n   × keeps the secret out of logs\n     → expected 'secret: none' to be 'secret: ***'\n\n Test Files  1 failed | ${random.int(3, 90)} passed`,
  ],
  [
    'pytest',
    (random) =>
      many(
        random,
        5,
        12,
        () => `tests/test_${random.word()}.py::test_${random.word()}_token PASSED [ ${random.int(1, 99)}%]`,
      ),
  ],
  [
    'webpack output',
    (random) =>
      many(
        random,
        6,
        14,
        () =>
          `asset ${random.word()}.${random.hex(20)}.js ${random.int(1, 400)} KiB [emitted] [immutable] [minimized] (name: ${random.word()})`,
      ),
  ],
  [
    'vite build',
    (random) =>
      many(
        random,
        6,
        14,
        () =>
          `dist/assets/${random.word()}-${random.text('url', 8)}.js    ${random.int(1, 300)}.${random.int(10, 99)} kB │ gzip: ${random.int(1, 90)}.12 kB`,
      ),
  ],
  ['sha256sum', (random) => many(random, 6, 14, () => `${random.hex(64)}  ${random.word()}-${version(random)}.tar.gz`)],
  ['md5 list', (random) => many(random, 6, 14, () => `MD5 (${random.word()}.iso) = ${random.hex(32)}`)],
  [
    'ls -la',
    (random) =>
      `total ${random.int(20, 900)}\n${many(random, 8, 16, () => `-rw-r--r--  1 root root ${random.int(10, 99999)} Mar 1${random.int(0, 9)} 10:0${random.int(0, 9)} ${random.pick(['.env.example', 'id_ed25519.pub', 'password-reset.html', 'tokens.css', `${random.word()}.md`])}`)}`,
  ],
  [
    'ps aux',
    (random) =>
      `USER  PID %CPU %MEM COMMAND\n${many(random, 6, 14, () => `root  ${random.int(1, 9999)}  0.${random.int(0, 9)}  1.2 /usr/bin/${random.word()} --config /etc/${random.word()}.yml --port ${random.int(1000, 9000)} --token-file /run/secrets/token`)}`,
  ],
  [
    'systemctl status',
    (random) =>
      `● ${random.word()}.service - ${random.words(3)}\n     Loaded: loaded (/usr/lib/systemd/system/a.service; enabled)\n     Active: active (running) since Mon 2026-03-02 10:00:00 UTC\n   Main PID: ${random.int(100, 9999)} (node)\n Invocation: ${random.hex(32)}`,
  ],
  [
    'ssh-keygen -l',
    (random) =>
      `256 SHA256:${random.base64(32).slice(0, 43)} ann@laptop (ED25519)\nssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${random.text('base64', 43)} ann@laptop`,
  ],
  [
    'known_hosts',
    (random) =>
      many(
        random,
        3,
        6,
        () =>
          `|1|${random.base64(20)}|${random.base64(20)} ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTY${random.text('base64', 60)}=`,
      ),
  ],
  [
    'openssl x509',
    (random) =>
      `Certificate:\n    Serial Number:\n        ${random.hex(32).match(/../g)!.join(':')}\n    Signature Algorithm: sha256WithRSAEncryption\n    Subject Key Identifier: ${random.hex(40).toUpperCase().match(/../g)!.join(':')}\n-----BEGIN CERTIFICATE-----\n${random.base64(480).replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----`,
  ],
  [
    'strace',
    (random) =>
      many(
        random,
        8,
        16,
        () => `openat(AT_FDCWD, "/usr/lib/${random.word()}.so", O_RDONLY|O_CLOEXEC) = ${random.int(3, 30)}`,
      ),
  ],
];
