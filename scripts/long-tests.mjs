// The tests that `npm run test:long` runs with TEST_LONG=1: they then repeat a fault many times, or measure growth. In
// `npm test` the same files run one small round each.

/**
 * One row per topic. A change in `rooms` asks for a new run of `tests` before a release.
 * @type {readonly { topic: string, rooms: readonly string[], tests: readonly string[] }[]}
 */
export const LONG_TESTS = [
  {
    topic: 'random-data',
    rooms: ['lib/json/', 'lib/wire/', 'lib/store/', 'lib/hub/', 'components/form/'],
    tests: [
      'lib/json/outline.test.ts',
      'lib/wire/http-frame.test.ts',
      'lib/store/classify.test.ts',
      'lib/hub/skimmed-log.test.ts',
      'components/form/json-form.test.tsx',
    ],
  },
  {
    topic: 'bucket',
    rooms: ['features/team/proxy/bucket/'],
    tests: ['features/team/proxy/bucket/bucket-recordings.test.ts'],
  },
  {
    topic: 'uploads',
    rooms: ['features/team/proxy/bucket/', 'features/team/proxy/push/', 'proxy/recorder/'],
    tests: ['features/team/proxy/push/push.test.ts'],
  },
  { topic: 'chat', rooms: ['features/chat/proxy/'], tests: ['features/chat/proxy/chats.test.ts'] },
  { topic: 'library', rooms: ['proxy/library/'], tests: ['proxy/library/library.test.ts'] },
  {
    topic: 'slow-clients',
    rooms: ['proxy/http/', 'proxy/otel/', 'features/tap/proxy/http/'],
    tests: [
      'proxy/http/attacks/slow-clients.test.ts',
      'proxy/otel/attacks/exports.test.ts',
      'features/tap/proxy/http/http-tap.test.ts',
    ],
  },
  {
    topic: 'taps',
    rooms: ['features/tap/proxy/', 'features/intercept/'],
    tests: [
      'features/tap/proxy/tap.test.ts',
      'features/tap/proxy/killed-tap.test.ts',
      'features/tap/proxy/interception.test.ts',
    ],
  },
  {
    topic: 'telemetry',
    rooms: ['lib/otel/', 'proxy/otel/'],
    tests: ['proxy/commands/headless/otel.test.ts', 'proxy/otel/log-export.test.ts'],
  },
  { topic: 'watch', rooms: ['proxy/watch/'], tests: ['proxy/commands/inspect/page-hub-watch.test.ts'] },
  { topic: 'kills', rooms: ['proxy/process/'], tests: ['proxy/process/kills.test.ts'] },
  {
    topic: 'secrets',
    rooms: ['lib/redact/'],
    tests: ['lib/redact/hostile.test.ts', 'lib/redact/vendor-tokens.test.ts'],
  },
  {
    topic: 'recordings',
    rooms: ['lib/recording/', 'proxy/recorder/'],
    tests: [
      'proxy/recorder/killed.test.ts',
      'proxy/recorder/indexed-recording.test.ts',
      'proxy/recorder/read-traffic.test.ts',
    ],
  },
  {
    topic: 'commands',
    rooms: ['proxy/connection/', 'lib/hub/', 'lib/wire/'],
    tests: ['proxy/connection/hostile-commands.test.ts'],
  },
  {
    topic: 'install',
    rooms: ['features/tap/proxy/install/'],
    tests: ['features/tap/proxy/install/edit-entry.test.ts'],
  },
  {
    topic: 'round-trips',
    rooms: ['lib/mcp/', 'lib/replay/', 'features/team/', 'proxy/round-trips/'],
    tests: ['proxy/round-trips/round-trips.test.ts'],
  },
  {
    topic: 'minimise',
    rooms: ['features/check/lib/minimise/', 'features/check/proxy/test/minimise/'],
    tests: ['features/check/proxy/test/minimise/minimise.test.ts'],
  },
  { topic: 'typing', rooms: ['components/panels/', 'components/workbench/'], tests: ['e2e/typing.spec.ts'] },
  { topic: 'drawn-forms', rooms: ['components/form/'], tests: ['e2e/forms-report.spec.ts'] },
  { topic: 'sharing', rooms: ['lib/sharing/', 'components/workbench/share/'], tests: ['e2e/share.spec.ts'] },
  {
    topic: 'addresses',
    rooms: ['proxy/http/', 'lib/direct/'],
    tests: ['e2e/direct.spec.ts', 'e2e/linked-url.spec.ts', 'e2e/public-url.spec.ts'],
  },
  {
    topic: 'lost-pages',
    rooms: ['lib/client/', 'proxy/recorder/'],
    tests: ['e2e/recordings.spec.ts', 'e2e/tabs.spec.ts'],
  },
  {
    topic: 'hostile-recordings',
    rooms: ['lib/recording/', 'lib/store/', 'lib/replay/', 'lib/problems/', 'proxy/recorder/', 'features/team/'],
    tests: ['proxy/round-trips/hostile-recordings.test.ts'],
  },
  {
    topic: 'untrusted',
    rooms: ['components/', 'features/'],
    tests: ['e2e/xss-crawl.spec.ts'],
  },
  { topic: 'killed-pages', rooms: ['proxy/process/', 'proxy/recorder/'], tests: ['e2e/killed-page.spec.ts'] },
  { topic: 'agents', rooms: ['features/agents/'], tests: ['e2e/agents.spec.ts'] },
  { topic: 'features', rooms: ['features/'], tests: ['scripts/features.test.mjs'] },
];
