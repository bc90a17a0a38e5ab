import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { createRecordingIn } from './recorder';

test('neither the header nor the file name contains a secret that the server was given', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  try {
    const secret = 'Zx9kQ2vLm4Tn8RwB';
    const redactor = new CaptureRedactor([secret]);
    const about = { name: `img ${secret}`, transport: 'stdio', at: '2026-01-01T00:00:00.000Z', version: '0' } as const;
    createRecordingIn(join(folder, 'r'), { ...about, redactor }).end();
    const [file] = readdirSync(join(folder, 'r')).filter((name) => name.endsWith('.jsonl'));
    expect(file).toMatch(/^\d{8}T\d{6}Z-img-redacted-given-[0-9a-f]{8}-p/);
    const text = readFileSync(join(folder, 'r', file!), 'utf8');
    expect(JSON.parse(text.split('\n')[0]!).name).toMatch(/^img \[redacted:given:[0-9a-f]{8}\]$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
