import { expect, it } from 'vitest';
import { spanSubject } from './span-subject';

it.each<[Record<string, string>, string | undefined]>([
  [{ 'url.full': 'http://127.0.0.1:4555/price?sku=7#x', 'http.route': '/price' }, '/price?sku=7'],
  [{ 'http.url': 'https://user:secret@api.example/' }, 'api.example'],
  [{ 'url.full': 'https://api.example?q=1' }, '?q=1'],
  [{ 'url.full': 'no URL', 'http.target': '/mcp' }, '/mcp'],
  [{ 'url.path': '/orders', 'url.query': 'page=2' }, '/orders?page=2'],
  [{ 'http.route': '/orders/:id' }, '/orders/:id'],
  [{ 'db.query.text': 'SELECT *\n  FROM orders ' }, 'SELECT * FROM orders'],
  [{ 'db.statement': 'x'.repeat(500) }, `${'x'.repeat(120)}…`],
  [{ 'rpc.service': 'shop.Orders', 'rpc.method': 'Get' }, 'shop.Orders/Get'],
  [{ 'rpc.service': 'shop.Orders' }, undefined],
  [{ 'messaging.destination.name': 'orders' }, 'orders'],
  [{ 'net.peer.name': 'x', 'db.statement': ' ' }, undefined],
])('%j is about %j', (attributes, subject) => {
  expect(spanSubject((key) => attributes[key])).toBe(subject);
});
