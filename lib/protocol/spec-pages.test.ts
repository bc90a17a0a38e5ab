import { expect, test } from 'vitest';
import { type SpecTopic, specPage } from './spec-pages';

test.each<[SpecTopic, string | undefined, string]>([
  ['tools', '2025-06-18', '2025-06-18/server/tools'],
  ['tools', undefined, '2026-07-28/server/tools'],
  ['tools', '2025-08-01', '2025-06-18/server/tools'],
  ['http', '2024-11-05', '2024-11-05/basic/transports#http-with-sse'],
  ['http', '2025-03-26', '2025-03-26/basic/transports#streamable-http'],
  ['http', '2026-07-28', '2026-07-28/basic/transports/streamable-http'],
  ['elicitation', '2024-11-05', '2025-06-18/client/elicitation'],
  ['elicitation', '2025-11-25', '2025-11-25/client/elicitation'],
  ['tasks', '2025-06-18', '2025-11-25/basic/utilities/tasks'],
  ['tasks', '2026-07-28', '2025-11-25/basic/utilities/tasks'],
  ['ping', '2024-11-05', '2024-11-05/basic/utilities/ping'],
  ['subscriptions', '2025-03-26', '2026-07-28/basic/patterns/subscriptions'],
])('the page about %s in version %s', (topic, version, path) => {
  expect(specPage(topic, version).url).toBe(`https://modelcontextprotocol.io/specification/${path}`);
});
