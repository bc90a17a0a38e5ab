/** Requests that clients send automatically. A report shows them only if there is nothing else. */
export const AUTOMATIC_METHODS: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  'ping',
  'subscriptions/listen',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'tasks/get',
  'tasks/result',
  'tasks/update',
  'completion/complete',
  'logging/setLevel',
]);
