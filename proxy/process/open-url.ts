import { spawn } from 'node:child_process';
import { helperEnvironment, windowsProgram } from './environment';

/** The program that opens a URL in the default browser, with its first arguments, by platform. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: [windowsProgram('rundll32.exe'), 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
};

/**
 * Opens our own page in the default browser. Resolves with false where that can't work. Accepts only plain http URLs
 * without shell characters, and must never be called with a URL from a server.
 */
export function openUrl(
  url: string,
  platform: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const opener = OPENERS[platform];
  // Without a desktop, xdg-open would start a text browser in the terminal.
  const desktop = platform !== 'linux' || environment.DISPLAY || environment.WAYLAND_DISPLAY;
  if (!opener || !desktop || !/^http:\/\/[a-z0-9.[\]:-]+\/[\w/#=.-]*$/i.test(url)) return Promise.resolve(false);
  const [command, ...args] = opener;
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], {
      stdio: 'ignore',
      detached: true,
      env: helperEnvironment({ ...process.env, ...environment }),
    });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
