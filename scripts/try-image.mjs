// `node scripts/try-image.mjs IMAGE`: starts a container as strictly as an operator may, and waits until it is healthy:
// read-only root file system, no capabilities, no network but its own. DOCKER names another program, such as podman.
import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

const DOCKER = process.env.DOCKER ?? 'docker';
/** Time for the first check, which comes after the image's interval of 30 s, and one more. In ms. */
const LIMIT_MS = 90_000;
const STRICT = ['--read-only', '--tmpfs=/tmp', '--cap-drop=ALL', '--security-opt=no-new-privileges', '--network=none'];

function docker(...args) {
  return execFileSync(DOCKER, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}

async function tryImage(image) {
  const user = docker('image', 'inspect', '--format', '{{.Config.User}}', image);
  if (['', 'root', '0'].includes(user)) throw new Error(`${image} runs as root.`);
  const id = docker('run', '--detach', '--init', ...STRICT, image, '--demo');
  try {
    const end = Date.now() + LIMIT_MS;
    for (let state = ''; state !== 'healthy'; await delay(500)) {
      state = docker('inspect', '--format', '{{.State.Health.Status}}', id);
      if (state === 'unhealthy' || Date.now() > end) throw new Error(`${image} is ${state}:\n${docker('logs', id)}`);
    }
    process.stdout.write(`${image} runs as ${user} with a read-only file system, and is healthy.\n`);
  } finally {
    docker('rm', '--force', '--volumes', id);
  }
}

try {
  await tryImage(process.argv[2]);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
