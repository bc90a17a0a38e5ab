// A legacy MCP server over stdio with a resource of each kind of document, some of them hostile.
import { createInterface } from 'node:readline';
import { crc32, deflateSync } from 'node:zlib';

const README = `# Skerry Light

A tower on a rock, with **one lamp** and \`two keepers\`. This paragraph is long enough to show that a line of a document holds about sixty-eight characters and then breaks, as in a book.

## Duties

1. Light the lamp at sunset.
2. Put it out at sunrise.
   - Clean the lens.

### Tide table

| place | high | low |
|---|---|---|
| Skerry | 06:10 | 12:25 |
| Pier | 06:40 | 12:55 |

\`\`\`python
# The keeper's rule
def lamp(hour: int) -> bool:
    return hour < 6 or hour >= 18
\`\`\`

> Mind the third step.
`;

const PYTHON = `import json

class Keeper:
    """Keeps the light."""
    def __init__(self, name: str):
        self.name = name  # never changes
        self.watch = 1.5

    def report(self):
        return json.dumps({"name": self.name, "watch": None})
`;

const CSV = [
  'ship,flag,"last seen"',
  ...Array.from({ length: 300 }, (_, at) => `"Tern ${at}",NO,2026-03-0${at % 9}`),
].join('\n');

/** A PDF with two pages of text. */
function pdf() {
  const content = (text) => `BT /F1 36 Tf 60 700 Td (${text}) Tj ET 60 640 480 4 re f`;
  const stream = (text) => `<< /Length ${content(text).length} >>\nstream\n${content(text)}\nendstream`;
  const page = (number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${number} 0 R /Resources << /Font << /F1 7 0 R >> >> >>`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /URI /URI (http://127.0.0.1:9/beacon) >> >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    page(5),
    page(6),
    stream('Skerry Light'),
    stream('Second page'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let text = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  return `${text}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
}

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="60" height="40" fill="teal"/>
<script>document.title = 'ran'; fetch('http://127.0.0.1:9/beacon')</script><image href="http://127.0.0.1:9/beacon"/></svg>`;

/** A png of 20,000 × 20,000 px in 50 KB, which takes 1.6 GB when it is decoded. */
function hugePng() {
  const chunk = (type, data) => {
    const content = Buffer.concat([Buffer.from(type), data]);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(content));
    return Buffer.concat([size, content, sum]);
  };
  const [width, height] = [20_000, 20_000];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc((1 + width / 8) * height), { level: 1 });
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}
const HUGE_PNG = hugePng().toString('base64');

/** Icons that the specification forbids, that would reach another host, or that cost too much. */
const ICONS = [
  'javascript:document.title="ran"',
  'file:///etc/passwd',
  'http://127.0.0.1:9/beacon.png',
  'https://127.0.0.1:9/beacon.png',
  `data:image/png;base64,${HUGE_PNG}`,
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg"><foreignObject><iframe
    xmlns="http://www.w3.org/1999/xhtml" src="http://127.0.0.1:9/beacon"/></foreignObject>
    <image href="http://127.0.0.1:9/beacon"/><script>document.title = 'ran'</script></svg>`)}`,
  `data:image/png;base64,${Buffer.from('<html><script>').toString('base64')}`,
];

const blob = (text) => ({ blob: Buffer.from(text).toString('base64') });
/** Resources by URI: their type, and their text or blob. */
const RESOURCES = {
  'docs://README.md': { mimeType: 'text/markdown', text: README },
  'docs://keeper.py': { mimeType: 'text/x-python', text: PYTHON },
  'docs://ships.csv': { mimeType: 'text/csv', text: CSV },
  'docs://ships-as-bytes.csv': { mimeType: 'text/csv', ...blob(CSV) },
  'docs://log.pdf': { mimeType: 'application/pdf', ...blob(pdf()) },
  'docs://broken.pdf': { mimeType: 'application/pdf', ...blob('%PDF-1.4\nnothing of the kind') },
  'docs://chart.svg': { mimeType: 'image/svg+xml', ...blob(SVG) },
  'docs://huge.png': { mimeType: 'image/png', blob: HUGE_PNG },
  'docs://page.html': { mimeType: 'text/html', text: `<h1>Page</h1><script>document.title = 'ran'</script>` },
  'docs://slow.css': { mimeType: 'text/css', text: '--'.repeat(29_000) },
  'docs://open-quote.csv': { mimeType: 'text/csv', text: `a,b\n"${'x,'.repeat(500_000)}` },
  'docs://wide.csv': { mimeType: 'text/csv', text: `${'a,'.repeat(5000)}\n`.repeat(50) },
  'docs://deep.md': { mimeType: 'text/markdown', text: '> '.repeat(9_000) },
};

const RESULTS = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { resources: {} },
    serverInfo: { name: 'documents', version: '1.0.0' },
  }),
  'resources/list': () => ({
    resources: Object.entries(RESOURCES).map(([uri, { mimeType }]) => ({
      uri,
      name: uri.slice(7),
      mimeType,
      icons: ICONS.map((src) => ({ src })),
    })),
  }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, ...RESOURCES[uri] }] }),
  ping: () => ({}),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = RESULTS[method]?.(params);
  const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
});
