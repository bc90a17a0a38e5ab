const works = new Set<() => void>();

function doAll(): void {
  for (const work of works) work();
}

/**
 * Does `work` when this process exits, unless the returned function is called before. All share one listener, because
 * Node warns about more than ten.
 */
export function atExit(work: () => void): () => void {
  if (works.size === 0) process.once('exit', doAll);
  works.add(work);
  return () => {
    works.delete(work);
    if (works.size === 0) process.off('exit', doAll);
  };
}
