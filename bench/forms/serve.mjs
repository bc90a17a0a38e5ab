// Serves the page that is measured, under the policy that the proxy gives its own page.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ensure } from '../../scripts/ensure.mjs';

const root = join(import.meta.dirname, '../..');

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
].join('; ');

const HTML = (styles) =>
  `<!doctype html><html lang="en"><title>forms</title>${styles.map((path) => `<link rel="stylesheet" href="${path}">`).join('')}` +
  `<body style="overflow:auto"><main id="form" style="max-width:620px;padding:12px"></main><script type="module" src="/page.js"></script>`;

/** Starts the server on a free port of this machine. Resolves to its address and how to end it. */
export async function serveForms() {
  await ensure();
  const { outputFiles } = await build({
    entryPoints: [join(root, 'bench/forms/page.tsx')],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2023',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    jsx: 'automatic',
    alias: { '@': root },
    logLevel: 'warning',
  });
  const ui = join(root, 'dist/ui');
  const styles = readdirSync(ui, { recursive: true })
    .map((path) => `/${String(path).replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.css') && !path.startsWith('/monaco'));
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    response.setHeader('content-security-policy', POLICY);
    if (path === '/') return response.setHeader('content-type', 'text/html').end(HTML(styles));
    const types = { js: 'text/javascript', css: 'text/css', woff2: 'font/woff2' };
    response.setHeader('content-type', types[path.split('.').pop()] ?? 'application/octet-stream');
    if (path === '/page.js') return response.end(outputFiles[0].text);
    try {
      response.end(readFileSync(join(ui, path)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}
