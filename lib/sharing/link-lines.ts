/**
 * The lines of a recording for a link: without what follows from the lines before. `n` is left out, since it is one more each time, and
 * `t` counts from the line before.
 */
export function shortLines(recording: string): string {
  let time = 0;
  return recording.replace(/^\{"n":\d+,"t":(\d+),/gm, (_, t: string) => {
    const since = Number(t) - time;
    time = Number(t);
    return `{"t":${since},`;
  });
}

/** The recording that {@link shortLines} made this of. */
export function wholeLines(lines: string): string {
  let time = 0;
  let n = 0;
  return lines.replace(/^\{"t":(\d{1,16}),/gm, (_, since: string) => {
    time += Number(since);
    return `{"n":${++n},"t":${time},`;
  });
}
