// Decides which chunks become one file. A bundler makes a chunk for each set of entries that share modules: hundreds of
// small files. Opening a file takes time, and so does loading code that is not needed.

/** Bytes of minified code that take as long to load as opening one more file. Measured with Node 20. */
const FILE_BYTES = 10_000;
/** The same for one of these modules of Node, which takes about 3 ms. Others are small, or loaded anyway. */
const SLOW_BYTES = 100_000;
const SLOW =
  'child_process crypto dns/promises http http2 https net perf_hooks readline readline/promises tls worker_threads zlib'.split(
    ' ',
  );

/**
 * @typedef {object} Chunk
 * @property {string} fileName
 * @property {number} bytes
 * @property {readonly string[]} imports file names, and modules of Node
 * @property {number} weight how much it counts that this chunk loads fast; 0 for one that only others load
 */

/**
 * Returns the chunks without a weight as lists of file names: each list should be one file. Merges the two that save
 * most, again and again until merging saves nothing. Merged chunks import each other no more than before.
 * @param {readonly Chunk[]} chunks whose imports form no circle
 * @returns {string[][]}
 */
export function mergeChunks(chunks) {
  const slow = SLOW.map((name) => ({ fileName: `node:${name}`, bytes: SLOW_BYTES, imports: [], weight: 0 }));
  const nodes = new Set(readNodes([...chunks, ...slow]));
  const weights = Float64Array.from(chunks.map(({ weight }) => weight).filter(Boolean));
  const shared = new Set([...nodes].slice(0, chunks.length).filter(({ weight }) => weight === 0));
  for (const node of shared) noteSavings(node, shared, weights);
  for (let pair = bestPair(shared, weights); pair; pair = bestPair(shared, weights)) {
    const [kept, gone] = pair;
    nodes.delete(gone);
    shared.delete(gone);
    for (const { savings } of shared) savings.delete(gone);
    for (const changed of merge(kept, gone, nodes)) if (shared.has(changed)) noteSavings(changed, shared, weights);
  }
  return Array.from(shared, ({ files }) => files);
}

/** Returns each chunk with what it needs, directly or not, and which chunks with a weight load it. */
function readNodes(chunks) {
  const byName = new Map(
    chunks.map((chunk, at) => [chunk.fileName, { ...chunk, at, files: [chunk.fileName], savings: new Map() }]),
  );
  const nodes = [...byName.values()];
  for (const node of nodes) node.imports = new Set(node.imports.flatMap((name) => byName.get(name) ?? []));
  for (const node of nodes) node.needs = neededBy(node);
  const starts = nodes.filter(({ weight }) => weight > 0);
  for (const node of nodes)
    node.loadedBy = Uint8Array.from(starts, (start) => Number(start === node || start.needs.has(node)));
  return nodes;
}

function neededBy({ imports }) {
  const needs = new Set(imports);
  // A set that grows is iterated to its end.
  for (const each of needs) for (const next of each.imports) needs.add(next);
  return needs;
}

/** Notes how many bytes merging a node with each other saves at most, over all starts and by their weights. */
function noteSavings(node, shared, weights) {
  for (const other of shared) {
    const [a, b] = other.at < node.at ? [other, node] : [node, other];
    let saved = 0;
    for (let at = 0; at < weights.length; at++) {
      if (a.loadedBy[at]) saved += weights[at] * (b.loadedBy[at] ? FILE_BYTES : -b.bytes);
      else if (b.loadedBy[at]) saved -= weights[at] * a.bytes;
    }
    if (saved > 0 && a !== b) a.savings.set(b, saved);
    else a.savings.delete(b);
  }
}

function bestPair(shared, weights) {
  let best;
  let most = 0;
  for (const a of shared)
    for (const [b, atMost] of a.savings) {
      if (atMost <= most || isBetween(a, b) || isBetween(b, a)) continue;
      const saved = atMost - costOfNeeds(a, b, weights);
      if (saved > most) [best, most] = [[a, b], saved];
    }
  return best;
}

/** Returns how many bytes more are loaded because whatever loads one of them will load all that the other needs. */
function costOfNeeds(a, b, weights) {
  let cost = 0;
  for (const need of new Set([...a.needs, ...b.needs])) {
    if (need === a || need === b) continue;
    for (let at = 0; at < weights.length; at++)
      if (!need.loadedBy[at] && (a.loadedBy[at] || b.loadedBy[at])) cost += weights[at] * (FILE_BYTES + need.bytes);
  }
  return cost;
}

/** Whether a third chunk is needed by the first and needs the second: it and the merged one would form a circle. */
function isBetween(first, second) {
  return first.needs.has(second) && [...first.needs].some((need) => need.needs.has(second));
}

/** Puts one node into another. Returns those that more starts load now, and the one that has grown. */
function merge(kept, gone, nodes) {
  kept.files.push(...gone.files);
  kept.bytes += gone.bytes;
  for (const each of gone.imports) kept.imports.add(each);
  for (const { imports } of nodes) if (imports.delete(gone)) imports.add(kept);
  kept.imports.delete(kept);
  for (const node of nodes) node.needs = neededBy(node);
  const loadedBy = kept.loadedBy.map((is, at) => is | gone.loadedBy[at]);
  const loadedMore = [...kept.needs].filter((node) => loadedBy.some((is, at) => is && !node.loadedBy[at]));
  for (const node of [kept, ...loadedMore]) node.loadedBy = node.loadedBy.map((is, at) => is | loadedBy[at]);
  return [kept, ...loadedMore];
}
