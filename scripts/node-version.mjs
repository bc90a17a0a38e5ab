// Imported first: older Node versions fail in the other scripts with useless errors.

/** The oldest Node that package.json's `engines` allows. */
const OLDEST = [20, 19];

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(
    `mcp-inspect needs Node ${OLDEST.join('.')} or newer, and this is ${process.versions.node}: install a newer Node.\n`,
  );
  process.exit(1);
}
