// `node registry.mjs FOLDER`: a package registry on 127.0.0.1 that keeps its packages in FOLDER and asks no other one.
// Prints its address as one line, and ends with its stdin.
import { join } from 'node:path';
import { runServer } from 'verdaccio';

const [folder] = process.argv.slice(2);
const server = await runServer({
  self_path: folder,
  configPath: join(folder, 'config.yaml'),
  storage: join(folder, 'packages'),
  auth: { htpasswd: { file: join(folder, 'users') } },
  uplinks: {},
  packages: { '**': { access: '$all', publish: '$authenticated' } },
  web: { enable: false },
  // The package has some megabytes, which become text in the request.
  max_body_size: '100mb',
  log: { type: 'file', path: join(folder, 'log'), level: 'warn' },
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}/\n`));
process.stdin.resume().on('end', () => process.exit());
