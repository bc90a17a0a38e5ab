/** Texts without secrets, written after what systems and services report. */
import type { HarmlessText } from './harmless';
import type { Random } from './random';

const many = (random: Random, least: number, most: number, line: (at: number) => string) =>
  Array.from({ length: random.int(least, 2 * most) }, (_, at) => line(at)).join('\n');

export const OF_SYSTEMS: readonly HarmlessText[] = [
  [
    'hexdump',
    (random) =>
      many(
        random,
        6,
        20,
        (at) =>
          `${(at * 16).toString(16).padStart(8, '0')}  ${random.hex(32).match(/../g)!.join(' ')}  |${random.text('letters', 16)}|`,
      ),
  ],
  [
    'ip addr',
    (random) =>
      `2: eth0: <BROADCAST,MULTICAST,UP> mtu 1500\n    link/ether ${random.hex(12).match(/../g)!.join(':')} brd ff:ff:ff:ff:ff:ff\n    inet ${random.ip()}/24 scope global eth0\n    inet6 fe80::${random.hex(4)}:${random.hex(4)}:${random.hex(4)}:${random.hex(4)}/64 scope link`,
  ],
  [
    'lsblk and blkid',
    (random) =>
      many(
        random,
        3,
        6,
        (at) =>
          `/dev/sda${at}: UUID="${random.uuid()}" BLOCK_SIZE="4096" TYPE="ext4" PARTUUID="${random.hex(8)}-0${at}"`,
      ),
  ],
  [
    'journalctl',
    (random) =>
      many(
        random,
        8,
        20,
        () =>
          `Mar 02 10:00:0${random.int(0, 9)} host sshd[${random.int(100, 9999)}]: Failed password for invalid user ${random.person().user} from ${random.ip()} port ${random.int(1024, 65535)} ssh2`,
      ),
  ],
  [
    'auth.log',
    (random) =>
      many(
        random,
        6,
        14,
        () =>
          `Accepted publickey for deploy from ${random.ip()} port ${random.int(1024, 65535)} ssh2: ED25519 SHA256:${random.base64(32).slice(0, 43)}`,
      ),
  ],
  [
    'Prometheus metrics',
    (random) =>
      many(
        random,
        8,
        20,
        () =>
          `http_requests_total{handler="/api/token",code="200",instance="${random.ip()}:9090"} ${random.int(1, 99999)}`,
      ),
  ],
  [
    'OpenTelemetry spans',
    (random) => ({
      resourceSpans: Array.from({ length: random.int(4, 10) }, () => ({
        traceId: random.hex(32),
        spanId: random.hex(16),
        parentSpanId: random.hex(16),
        name: 'POST /token',
        startTimeUnixNano: `17${random.text('digits', 17)}`,
      })),
    }),
  ],
  [
    'Sentry event',
    (random) => ({
      event_id: random.hex(32),
      release: `acme@${random.hex(40)}`,
      fingerprint: [random.hex(32)],
      user: { id: random.int(1, 999) },
      exception: { values: [{ type: 'AuthError', value: 'token expired' }] },
    }),
  ],
  [
    'CycloneDX',
    (random) => ({
      bomFormat: 'CycloneDX',
      serialNumber: `urn:uuid:${random.uuid()}`,
      components: Array.from({ length: random.int(5, 12) }, () => ({
        name: random.word(),
        purl: `pkg:npm/${random.word()}@1.2.3`,
        hashes: [{ alg: 'SHA-512', content: random.hex(128) }],
        licenses: [{ license: { id: 'MIT' } }],
      })),
    }),
  ],
  [
    'OCI manifest',
    (random) => ({
      schemaVersion: 2,
      config: { digest: `sha256:${random.hex(64)}`, size: random.int(1000, 9000) },
      layers: Array.from({ length: random.int(4, 9) }, () => ({
        mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
        digest: `sha256:${random.hex(64)}`,
        size: random.int(1000, 9_000_000),
      })),
    }),
  ],
  [
    'webpack stats',
    (random) => ({
      hash: random.hex(20),
      chunks: Array.from({ length: random.int(5, 12) }, (_, at) => ({
        id: at,
        hash: random.hex(20),
        files: [`${random.word()}.${random.hex(8)}.chunk.js`],
        modules: [`./src/${random.word()}.tsx`],
      })),
    }),
  ],
  [
    'CSS modules',
    (random) =>
      many(
        random,
        8,
        20,
        () => `.${random.word()}_${random.word()}__${random.text('url', 5)} { color: #${random.hex(6)}; }`,
      ),
  ],
  [
    'subresource integrity',
    (random) =>
      many(
        random,
        3,
        8,
        () =>
          `<script src="https://cdn.acme.io/${random.word()}.min.js" integrity="sha384-${random.base64(48)}" crossorigin="anonymous"></script>`,
      ),
  ],
  [
    'content security policy',
    (random) =>
      `Content-Security-Policy: default-src 'self'; script-src 'sha256-${random.base64(32)}' 'sha256-${random.base64(32)}'; report-uri /csp`,
  ],
  [
    'mangled symbols',
    (random) => many(random, 8, 20, () => `${random.hex(16)} T _ZN4core3fmt9${random.word()}17h${random.hex(16)}E`),
  ],
  [
    'Rust backtrace',
    (random) =>
      `thread 'main' panicked at src/${random.word()}.rs:${random.int(1, 400)}: token not found\n${many(random, 6, 14, (at) => `  ${at}: acme::${random.word()}::${random.word()}::h${random.hex(16)}\n             at /rustc/${random.hex(40)}/library/core/src/${random.word()}.rs:${random.int(1, 900)}`)}`,
  ],
  [
    'minidump modules',
    (random) =>
      many(
        random,
        6,
        14,
        () => `0x${random.hex(12)} - 0x${random.hex(12)}  ${random.word()}.dll  (${random.hex(32).toUpperCase()}1)`,
      ),
  ],
  [
    'Windows registry',
    (random) =>
      many(
        random,
        5,
        12,
        () => `[HKEY_LOCAL_MACHINE\\SOFTWARE\\Classes\\CLSID\\{${random.uuid().toUpperCase()}}]\n@="${random.word()}"`,
      ),
  ],
  [
    'psql table',
    () =>
      `                 Table "public.users"\n    Column     |  Type   | Nullable\n---------------+---------+----------\n id            | uuid    | not null\n password_hash | text    | not null\n api_token     | text    |\nIndexes:\n    "users_pkey" PRIMARY KEY, btree (id)`,
  ],
  [
    'query plan',
    (random) =>
      `Index Scan using ${random.word()}_pkey on ${random.word()}  (cost=0.42..8.44 rows=1 width=${random.int(10, 300)})\n  Index Cond: (id = '${random.uuid()}'::uuid)\nPlanning Time: 0.1 ms`,
  ],
  [
    'MySQL processlist',
    (random) =>
      many(
        random,
        4,
        9,
        () =>
          `| ${random.int(1, 9999)} | app | ${random.ip()}:${random.int(1024, 65535)} | shop | Sleep | ${random.int(0, 900)} |  | NULL |`,
      ),
  ],
  [
    'Redis keys',
    (random) =>
      many(random, 6, 16, () => `session:${random.uuid()}\ncache:${random.word()}:${random.int(1, 9999)}`).replaceAll(
        'session',
        'page',
      ),
  ],
  [
    'S3 listing',
    (random) =>
      many(
        random,
        6,
        16,
        () =>
          `2026-03-0${random.int(1, 9)} 10:00:00 ${random.int(1, 99999999)} backups/${random.word()}-${random.hex(8)}.tar.gz`,
      ),
  ],
  [
    'CloudFormation events',
    (random) =>
      many(
        random,
        5,
        12,
        () =>
          `${random.time()} CREATE_COMPLETE AWS::SecretsManager::Secret DbSecret${random.text('upperDigits', 8)} arn:aws:secretsmanager:eu-west-1:123456789012:secret:Db-${random.text('mixed', 6)}`,
      ),
  ],
  [
    'helm list',
    (random) =>
      `NAME  NAMESPACE  REVISION  STATUS  CHART\n${many(random, 3, 8, () => `${random.word()}  default  ${random.int(1, 40)}  deployed  ${random.word()}-1.2.3`)}`,
  ],
  [
    'gh pr list',
    (random) =>
      many(
        random,
        5,
        12,
        () =>
          `#${random.int(1, 9999)}  ${random.pick(['fix', 'feat', 'chore'])}: ${random.words(3)} token  ${random.word()}/${random.words(2, '-')}  about ${random.int(1, 20)} days ago`,
      ),
  ],
  [
    'Jira issues',
    (random) => ({
      issues: Array.from({ length: random.int(3, 8) }, () => ({
        id: `${random.int(10000, 99999)}`,
        key: `${random.text('upperDigits', 3)}-${random.int(1, 999)}`,
        fields: {
          summary: `Reset password of ${random.word()}`,
          assignee: { accountId: `${random.int(100000, 999999)}:${random.uuid()}` },
        },
      })),
    }),
  ],
  [
    'Figma nodes',
    (random) => ({
      nodes: Array.from({ length: random.int(4, 10) }, () => ({
        id: `${random.int(1, 999)}:${random.int(1, 9999)}`,
        name: 'Password field',
        componentId: `${random.int(1, 99)}:${random.int(1, 999)}`,
        key: random.hex(40),
        imageRef: random.hex(40),
      })),
    }),
  ],
  [
    'browser snapshot',
    (random) =>
      many(
        random,
        8,
        20,
        () =>
          `- textbox "Password" [ref=e${random.int(1, 999)}]\n- button "${random.word()}" [ref=e${random.int(1, 999)}]`,
      ),
  ],
  [
    'tool results of files',
    (random) => many(random, 8, 20, () => `[FILE] ${random.word()}-${random.hex(8)}.json\n[DIR] .${random.word()}`),
  ],
  [
    'GeoJSON',
    (random) => ({
      type: 'FeatureCollection',
      features: Array.from({ length: random.int(4, 9) }, () => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [random.number() * 180, random.number() * 90] },
        properties: { osm_id: random.int(1e8, 2e9), key: random.word() },
      })),
    }),
  ],
  [
    'DNA sequence',
    (random) =>
      `>${random.word()} sequence\n${many(random, 4, 10, () => Array.from({ length: 60 }, () => random.pick(['A', 'C', 'G', 'T'])).join(''))}`,
  ],
  [
    'chess game',
    (random) =>
      `[Event "${random.word()}"]\n[Site "https://lichess.org/${random.text('mixed', 8)}"]\n\n1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *`,
  ],
  [
    'shipping labels',
    (random) => many(random, 5, 12, () => `1Z${random.text('upperDigits', 16)}  ${random.word()}  in transit`),
  ],
  [
    'serial numbers',
    (random) =>
      many(
        random,
        5,
        12,
        () =>
          `Serial: ${random.text('upperDigits', 12)}  MAC: ${random.hex(12).match(/../g)!.join(':')}  FW: 1.2.${random.int(1, 99)}`,
      ),
  ],
];
