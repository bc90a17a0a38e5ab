import { spawn } from 'node:child_process';

/** The program of each platform that opens a URL in the default browser, and the arguments before the URL. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
};

/**
 * Opens our own page in the default browser; resolves to false where that can't work. Only plain http URLs without anything
 * a shell could read are passed on: nothing that a server says may ever come here.
 */
export function openUrl(
  url: string,
  platform: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const opener = OPENERS[platform];
  // Without a desktop xdg-open takes over the terminal with a text browser.
  const desktop = platform !== 'linux' || environment.DISPLAY || environment.WAYLAND_DISPLAY;
  if (!opener || !desktop || !/^http:\/\/[a-z0-9.[\]:-]+\/[\w/#=.-]*$/i.test(url)) return Promise.resolve(false);
  const [command, ...args] = opener;
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], {
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, ...environment },
    });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
