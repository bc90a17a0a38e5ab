/** Lines read from the end of the output. */
const READ_LINES = 400;
/** Characters read of a line. */
const READ_CHARS = 1000;

/** How runtimes and compilers write a place. Each has the file and the line; some prefer the last one printed. */
const FORMS: readonly { readonly form: RegExp; readonly last?: true }[] = [
  // Python: the innermost call comes last.
  { form: /^\s*File "([^"]+)", line (\d+)/, last: true },
  // A traceback of the library rich
  { form: /^\s*│ ((?:[A-Za-z]:)?[^\s:│]+):(\d+) in /, last: true },
  // Rust
  { form: /^\s*--> ([^\s:][^:]*):(\d+):\d+/ },
  // TypeScript
  { form: /^([^\s(][^(]*)\((\d+),\d+\): error\b/ },
  // Node prints a syntax error like this. Go, gcc, esbuild and others do too, with a column or a message.
  { form: /^\s*(?:× |✘ |> |\[ERROR\] )?((?:file:\/\/)?(?:[A-Za-z]:)?[^\s:()'"][^:()'"]*\.\w{1,5}):(\d+)(?::|\s|$)/ },
  // A stack of Node, Deno or Bun
  { form: /^\s*at (?:.*\()?((?:file:\/\/)?(?:[A-Za-z]:)?[/\\.][^()]*?):(\d+):\d+\)?$/ },
];

/** Files that are nobody's source here. */
const FOREIGN =
  /[/\\]node_modules[/\\]|^node:|[/\\]site-packages[/\\]|[/\\]lib[/\\]python\d|^<|[/\\]\.cargo[/\\]|^\/rustc\//;

/**
 * Returns the place in the sources that the output of a failed program names, as `file:line`; undefined without one.
 * `lines` have no colours.
 */
export function errorPlace(lines: readonly string[]): string | undefined {
  const read = lines.slice(-READ_LINES).map((line) => line.slice(0, READ_CHARS));
  for (const { form, last } of FORMS) {
    const places = read.flatMap((line) => {
      const [, file, number] = form.exec(line) ?? [];
      return file === undefined || FOREIGN.test(file) ? [] : [`${withoutScheme(file)}:${number}`];
    });
    const place = last ? places.at(-1) : places[0];
    if (place !== undefined) return place;
  }
  return undefined;
}

function withoutScheme(file: string): string {
  if (!file.startsWith('file://')) return file;
  try {
    return decodeURIComponent(new URL(file).pathname).replace(/^\/([A-Za-z]:)/, '$1');
  } catch {
    return file;
  }
}
