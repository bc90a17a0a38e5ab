import { expect, test } from 'vitest';
import { CaptureRedactor } from './capture-redactor';
import { plantedFrame } from './test-plant';

/** Returns a redacted text with placeholders shortened to their rule. */
function left(text: string): string {
  const frame = plantedFrame(JSON.stringify({ text }));
  const bytes = new CaptureRedactor([]).apply(frame).bytes;
  return JSON.parse(new TextDecoder().decode(bytes)).text.replace(/\[redacted:([a-z-]+):\w{8}\]/g, '[$1]');
}

test.each([
  ['A=1\nDB_PASSWORD=^4k}Gz;Q8&!v(2Lw\nB=2', 'A=1\nDB_PASSWORD=[password]\nB=2'],
  ['export DB_PASSWORD=ab"cD\'9f,g # of the shop', 'export DB_PASSWORD=[password] # of the shop'],
  ['DB_PASSWORD=a}b9;c\\nX=1', 'DB_PASSWORD=[password]\\nX=1'],
  ['DB_PASSWORD=$(pass show db)\n', 'DB_PASSWORD=$(pass show db)\n'],
  ['postgres://app:pa/ss9x@db:5432/x', 'postgres://[userinfo]@db:5432/x'],
  ['mongodb+srv://app:pa#ss?9x@db.example/x?a=b@c', 'mongodb+srv://[userinfo]@db.example/x?a=b@c'],
  ['redis://:p@ss:w0rd/9@db/x?mail=me@example.com', 'redis://[userinfo]@db/x?mail=me@example.com'],
  ['redis://localhost:6379/0?x=a@b', 'redis://localhost:6379/0?x=a@b'],
  ['http://localhost:4873/@scope/pkg and npm://x:y/z@1.0', 'http://localhost:4873/@scope/pkg and npm://x:y/z@1.0'],
])('removes a value completely or not at all: %j', (text, expected) => {
  expect(left(text)).toBe(expected);
});

test('finds the password of a URL again where it stands alone', () => {
  const redactor = new CaptureRedactor([]);
  const written = ['postgres://app:Xk4%2F9vQ2m@db/x', 'it is Xk4/9vQ2m, or Xk4%2F9vQ2m'].map((text) =>
    new TextDecoder().decode(redactor.apply(plantedFrame(text, 'stderr')).bytes),
  );
  expect(written[1]).toMatch(/^it is \[redacted:password:\w{8}\], or \[redacted:password:\w{8}\]$/);
});

test.each([
  ['Name and Value', { Name: '/prod/db/password', Type: 'SecureString', Value: 'Zx9kQ2vLm4' }],
  ['Key and Value', [{ Key: 'API_TOKEN', Value: 'Zx9kQ2vLm4' }]],
  ['ParameterKey and ParameterValue', { ParameterKey: 'DbPassword', ParameterValue: 'Zx9kQ2vLm4' }],
  ['an attribute of OpenTelemetry', { key: 'db.password', value: { stringValue: 'Zx9kQ2vLm4' } }],
  [
    'a header in an attribute of OpenTelemetry',
    { key: 'http.request.header.x_api_key', value: { arrayValue: { values: [{ stringValue: 'Zx9kQ2vLm4pR' }] } } },
  ],
  ['raw headers', { rawHeaders: ['host', 'x', 'x-api-key', 'Zx9kQ2vLm4'] }],
])('finds a value named by a sibling: %s', (_what, value) => {
  const { bytes } = new CaptureRedactor([]).apply(plantedFrame(JSON.stringify(value)));
  expect(new TextDecoder().decode(bytes)).not.toContain('Zx9kQ2vLm4');
});

test('never treats text of the protocol as a secret', () => {
  const redactor = new CaptureRedactor([]);
  const words = ['resources/templates/list', 'io.modelcontextprotocol/protocolVersion', 'notifications/initialized'];
  redactor.apply(
    plantedFrame(JSON.stringify({ secrets: words, token: words[0], apiKey: words[1], password: words[2] })),
  );
  for (const method of words) {
    const frame = plantedFrame(JSON.stringify({ method, params: { _meta: { [method]: 1 } } }));
    expect(redactor.apply(frame)).toBe(frame);
  }
});
