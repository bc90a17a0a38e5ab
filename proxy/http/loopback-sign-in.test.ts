import { expect, test, vi } from 'vitest';
import { listenForCallbacks } from './loopback-listener';
import { LoopbackSignIn } from './loopback-sign-in';

vi.mock(import('./loopback-listener'), async (original) => {
  const { listenForCallbacks } = await original();
  return { listenForCallbacks: vi.fn(listenForCallbacks) };
});

test('tries to listen again at the next sign-in after a failure', async () => {
  vi.mocked(listenForCallbacks).mockRejectedValueOnce(new Error('EADDRNOTAVAIL'));
  const signIns = new LoopbackSignIn(true, () => {});
  await expect(signIns.redirectUri()).rejects.toThrow('EADDRNOTAVAIL');
  expect(await signIns.redirectUri()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/callback$/);
  await signIns.close();
});
