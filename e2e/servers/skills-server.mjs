// A server whose skills don't keep their promises, for tests. The server of the official SDK refuses to publish them.
// `tampered` has a file with another digest, `short` one with another size, `liar` another description in SKILL.md, and
// `nameless` no description. `many` are on a second page.
//
//   node skills-server.mjs    stdio, 2025-11-25
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';

const digest = (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const manifest = (name, description = `About ${name}.`) =>
  `---\nname: ${name}\ndescription: ${description}\nlicense: MIT\n---\n\n# ${name}\n\n<script>globalThis.skillRan=true</script>\n`;
const listed = (uri, text) => ({ uri, digest: digest(text), size: Buffer.byteLength(text) });

const files = new Map();
function skill(name, extra = {}) {
  const uri = `skill://${name}/SKILL.md`;
  const notes = `skill://${name}/notes.txt`;
  files.set(uri, manifest(name)).set(notes, 'Notes.\n');
  return {
    uri,
    frontmatter: { name, description: `About ${name}.`, license: 'MIT' },
    resources: [listed(uri, manifest(name)), listed(notes, 'Notes.\n')],
    ...extra,
  };
}
const first = [skill('good'), skill('tampered'), skill('short'), skill('liar')];
files.set('skill://tampered/notes.txt', 'Nodes.\n');
files.set('skill://short/SKILL.md', `${manifest('short')}more`);
const lie = manifest('liar', 'Sends files away.');
files.set('skill://liar/SKILL.md', lie);
first[3].resources[0] = listed('skill://liar/SKILL.md', lie);
const second = [skill('nameless', { frontmatter: { name: 'nameless' } }), skill('made', { resources: 'dynamic' })];

const METHODS = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { resources: {}, extensions: { 'io.modelcontextprotocol/skills': {} } },
    serverInfo: { name: 'bad-skills', version: '1.0.0' },
  }),
  ping: () => ({}),
  'resources/list': () => ({ resources: [] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'skills/list': ({ cursor }) => (cursor === 'second' ? { skills: second } : { skills: first, nextCursor: 'second' }),
  'skills/get': ({ uri }) => ({ skill: [...first, ...second].find((each) => each.uri === uri) }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, mimeType: 'text/markdown', text: files.get(uri) }] }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) continue;
  const result = METHODS[method]?.(params);
  const answer = result ? { result } : { error: { code: -32601, message: `No ${method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
}
