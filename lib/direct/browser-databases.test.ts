import { expect, test } from 'vitest';
import { SealedBox } from './browser-databases';

const key = (fill: number) => Buffer.alloc(32, fill).toString('base64');
const bytes = new Uint8Array(Buffer.from('{"jsonrpc":"2.0"}'));

test('encrypted bytes reveal nothing and open only with the same key', async () => {
  const box = await SealedBox.open(key(1));
  const sealed = await box.seal(bytes);
  expect(Buffer.from(sealed.bytes).toString('latin1')).not.toContain('jsonrpc');
  expect(Buffer.from(await box.unseal(sealed)).toString()).toBe('{"jsonrpc":"2.0"}');
  await expect((await SealedBox.open(key(2))).unseal(sealed)).rejects.toThrow();
  const changed = {
    ...sealed,
    bytes: new Uint8Array(sealed.bytes).map((byte, at) => (at === 0 ? byte ^ 1 : byte)).buffer,
  };
  await expect(box.unseal(changed)).rejects.toThrow();
});

test('encrypts the same bytes differently each time', async () => {
  const box = await SealedBox.open(key(1));
  const [one, other] = [await box.seal(bytes), await box.seal(bytes)];
  expect(Buffer.from(one.bytes)).not.toEqual(Buffer.from(other.bytes));
});
