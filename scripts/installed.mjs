/**
 * Returns true if node_modules holds exactly the packages of a lock, according to node_modules/.package-lock.json,
 * which npm writes last. Only packages for other platforms may be missing.
 * @param {string} lock text of package-lock.json
 * @param {string | undefined} installed text of node_modules/.package-lock.json
 */
export function isInstalled(lock, installed) {
  const wanted = packagesOf(lock);
  const there = packagesOf(installed);
  if (!wanted || !there) return false;
  const complete = [...wanted].every(([path, entry]) =>
    there.has(path) ? same(entry, there.get(path)) : entry.optional === true,
  );
  return complete && [...there.keys()].every((path) => wanted.has(path));
}

/** Packages of a lock by path, without the project itself; undefined if the text is not a lock. */
function packagesOf(text) {
  try {
    const packages = new Map(Object.entries(JSON.parse(text).packages));
    packages.delete('');
    return packages;
  } catch {
    return undefined;
  }
}

function same(a, b) {
  return a.version === b.version && a.resolved === b.resolved && a.integrity === b.integrity;
}
